"use strict";
// A filter above each table of claims, by verdict and by words; its state is the address behind the #?.
for (const table of document.querySelectorAll("table.claims")) {
  const rows = [...table.tBodies[0].rows].map((row) => ({ row, verdict: row.cells[3].textContent.trim(), text: row.textContent.toLowerCase() }));
  const form = document.createElement("form");
  form.className = "filter";
  form.innerHTML = '<label>verdict <select name="verdict"><option value="">all</option></select></label>'
    + '<label>text <input name="text" type="search" placeholder="eq. (5), Taylor"></label><output></output>';
  for (const name of new Set(rows.map(({ verdict }) => verdict))) form.verdict.add(new Option(name, name));
  const show = () => {
    const words = form.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { row, verdict, text } of rows) {
      row.hidden = !((!form.verdict.value || verdict === form.verdict.value) && words.every((word) => text.includes(word)));
      count += row.hidden ? 0 : 1;
    }
    form.querySelector("output").value = `${count} of ${rows.length}`;
  };
  const keep = () => {
    show();
    history.replaceState(null, "", `#?${new URLSearchParams([...new FormData(form)].filter(([, value]) => value))}`);
  };
  for (const event of ["input", "change"]) form.addEventListener(event, keep);
  form.addEventListener("submit", (event) => event.preventDefault());
  if (location.hash.startsWith("#?")) {
    for (const [name, value] of new URLSearchParams(location.hash.slice(2))) if (form[name]) form[name].value = value;
  }
  (table.closest(".table-wrapper") ?? table).before(form);
  show();
}
