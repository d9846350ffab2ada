// The words of a query, as paper_checks.report.site.extension splits what is searched.
const greek = Object.fromEntries(("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho "
  + "sigma tau upsilon phi chi psi omega").split(" ").map((name, i) => ["αβγδεζηθικλμνξοπρστυφχψω"[i], name]));
var splitQuery = (query) => query.toLowerCase()
  .replace(/[α-ω]/g, (letter) => ` ${greek[letter] ?? "sigma"} `)
  .replace(/\b(\w{3,})(isations?|ise|ised|ises|ising|isers?|ours?)\b/g, (_, stem, end) =>
    stem + (end.startsWith("our") ? end.replace("our", "or") : end.replace("is", "iz")))
  .replace(/\b\d{1,3}\b/g, (number) => `n${number}`)
  .split(/[^\p{Letter}\p{Number}_]+/gu).filter(Boolean);
