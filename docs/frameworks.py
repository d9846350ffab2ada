"""Stand-ins for frameworks, so that pages are the same whether or not they are installed, and load."""

import importlib.machinery
import sys
from types import ModuleType
from typing import Any


class _Names(type):
    """A class of which every attribute is a class."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Names(name, (StandIn,), {"__module__": cls.__module__})


class StandIn(metaclass=_Names):
    """What may be subclassed, called, and used as a decorator."""

    def __init__(self, *_args: Any, **_options: Any):
        pass

    def __call__(self, thing: Any = None, *_args: Any, **_options: Any) -> Any:
        return thing

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn()


class _Module(ModuleType):
    __path__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Names(name, (StandIn,), {"__module__": self.__name__})


class _Finder:
    """Finds all modules of some packages."""

    def __init__(self, packages: tuple[str, ...]):
        self.packages = packages

    def find_spec(self, name: str, _path: Any = None, _target: Any = None) -> Any:
        if name.split(".")[0] not in self.packages:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]

    def create_module(self, spec: Any) -> ModuleType:
        return _Module(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass


def stand_in(*packages: str) -> None:
    """Let modules of these packages be imported, whatever is installed."""
    sys.meta_path.insert(0, _Finder(packages))  # type: ignore[arg-type]
