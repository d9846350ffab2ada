"""What a user would write with JAX, in double precision as all other arms."""

from collections.abc import Callable
from functools import partial

from benchmarks.timing import Sums

BLOCK = 2**20


def available() -> bool:
    """Whether JAX can be imported; it is no dependency of this project."""
    try:
        import jax  # noqa: F401
    except ImportError:
        return False
    return True


def factor(r_w: float, r_z: float, eps: float) -> Callable[[int, int], Sums]:
    """Four moments of (z + eps)^w; XLA takes all cores."""
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)

    @partial(jax.jit, static_argnames="blocks")
    def totals(key, blocks):
        def add(index, sums):
            for_w, for_z = jax.random.split(jax.random.fold_in(key, index))
            w = jax.random.uniform(for_w, (BLOCK,), minval=-r_w, maxval=r_w)
            z = jax.random.uniform(for_z, (BLOCK,), minval=0, maxval=r_z)
            x = (z + eps) ** w
            return sums + jnp.stack([x.sum(), (x**2).sum(), (x**3).sum(), (x**4).sum()])

        return jax.lax.fori_loop(0, blocks, add, jnp.zeros(4))

    def run(samples: int, seed: int) -> Sums:
        blocks = samples // BLOCK
        first, second, *_ = totals(jax.random.key(seed), blocks).tolist()
        n = blocks * BLOCK
        return Sums(n, first / n, second / n)

    return run
