"use strict";
// Where nothing is found: words of the index that are spelt like those of the query.
const distance = (a, b) => {
  let row = [...Array(b.length + 1).keys()];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] !== b[j - 1]));
    row = next;
  }
  return row[b.length];
};
const output = document.getElementById("search-results");
const suggest = () => {
  const query = new URLSearchParams(location.search).get("q") ?? "";
  const known = Object.keys(Search._index.terms).concat(Object.keys(Search._index.titleterms));
  const near = splitQuery(query).map((word) => known.filter((term) => Math.abs(term.length - word.length) < 3)
    .map((term) => [distance(term, word), term]).sort((a, b) => a[0] - b[0] || a[1].localeCompare(b[1]))[0])
    .filter((found) => found && found[0] < 4).map(([, term]) => term);
  if (!near.length) return;
  const line = document.createElement("p");
  line.className = "suggestion";
  line.append("Did you mean ");
  const link = line.appendChild(document.createElement("a"));
  [link.textContent, link.href] = [near.join(" "), `?q=${encodeURIComponent(near.join(" "))}`];
  line.append("?");
  output.append(line);
};
if (output) new MutationObserver((_, observer) => {
  const summary = output.querySelector(".search-summary");
  if (!summary?.textContent.trim() || !Search.hasIndex()) return;
  observer.disconnect();
  if (!output.querySelector("ul.search li")) suggest();
}).observe(output, { childList: true, subtree: true, characterData: true });
