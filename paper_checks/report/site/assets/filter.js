"use strict";
// The filter of the index; its state is the address behind the #.
const form = document.getElementById("filter");
const claims = [...document.querySelectorAll("#claims > li")].map(
  (item) => ({ item, data: item.dataset, text: item.textContent.toLowerCase() }));

function shown() {
  const state = Object.fromEntries(new FormData(form));
  const words = state.text.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const { item, data, text } of claims) {
    const fits = ["paper", "verdict", "severity"].every((name) => !state[name] || data[name] === state[name]);
    item.hidden = !(fits && words.every((word) => text.includes(word)));
    count += item.hidden ? 0 : 1;
  }
  document.getElementById("count").value = `${count} of ${claims.length}`;
}

function read() {
  const state = new URLSearchParams(location.hash.slice(1));
  for (const field of form.elements) {
    if (field.name) field.value = state.get(field.name) ?? "";
  }
  shown();
}

function keep() {
  const set = [...new FormData(form)].filter(([, value]) => value);
  location.replace(`#${new URLSearchParams(set)}`);
  shown();
}

form.hidden = false;
for (const event of ["input", "change"]) form.addEventListener(event, keep);
form.addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", read);
read();
