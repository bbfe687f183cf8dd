// What the gate proved: certificates, checks with their distance from the limit, and what each known fault
// would do.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/format.hpp"
#include "report/html_sections.hpp"

namespace dlbench::report {
namespace {

struct Proof {
  const record::Certificate* certificate = nullptr;
  std::vector<std::string> cases;  // names
};

std::vector<Proof> find_proofs(const PageView& view) {
  std::vector<Proof> proofs;
  for (const analysis::CaseSummary& summary : view.input->analysis.cases) {
    if (!summary.certificate) {
      continue;
    }
    const auto known = std::find_if(proofs.begin(), proofs.end(), [&summary](const Proof& proof) {
      return proof.certificate->key == summary.certificate->key;
    });
    Proof& proof = known == proofs.end() ? proofs.emplace_back(Proof{&*summary.certificate, {}}) : *known;
    proof.cases.push_back(name_of(view, summary.measured_case.id));
  }
  return proofs;
}

std::string list_text(const std::vector<std::string>& items, const char* separator = ", ") {
  return items.empty() ? no_value : fmt::format("{}", fmt::join(items, separator));
}

std::string verdict_kind(record::Verdict verdict) {
  switch (verdict) {
    case record::Verdict::pass:
      return "good";
    case record::Verdict::pass_with_deviations:
    case record::Verdict::unverified:
      return "warn";
    case record::Verdict::mismatch:
      break;
  }
  return "bad";
}

// Infinite when the error is no number: nothing is further from right.
double share_of_limit(const record::Check& check) {
  if (!std::isfinite(check.error)) {
    return HUGE_VAL;
  }
  return check.limit > 0.0 ? check.error / check.limit : (check.error > 0.0 ? HUGE_VAL : 0.0);
}

std::string share_text(double share) {
  return std::isfinite(share) ? number(share) : "over";
}

const record::Check* worst_check(const record::Certificate& certificate) {
  const auto found =
      std::max_element(certificate.checks.begin(), certificate.checks.end(),
                       [](const auto& a, const auto& b) { return share_of_limit(a) < share_of_limit(b); });
  return found == certificate.checks.end() ? nullptr : &*found;
}

void write_share(HtmlWriter& out, const record::Check& check) {
  const double share = share_of_limit(check);
  const double width = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) * 100.0 : 100.0;
  out.open("td", {{"class", "number"}}).text(share_text(share));
  out.open("span", {{"class", check.passed ? "bar" : "bar over"}});
  out.element("i", "", {{"style", fmt::format("width:{:.0f}%", std::max(width, 2.0))}}).close().close();
}

void write_overview(HtmlWriter& out, const std::vector<Proof>& proofs) {
  out.open("div", {{"class", "frame"}}).open("table").open("thead").open("tr");
  for (const char* title :
       {"framework", "verdict", "steps certified", "worst error ÷ limit", "deviations", "notes", "cases"}) {
    out.element("th", title, {{"scope", "col"}});
  }
  out.close().close().open("tbody");
  for (const Proof& proof : proofs) {
    const record::Certificate& certificate = *proof.certificate;
    out.open("tr").element("td", certificate.framework, {{"class", "name"}});
    out.open("td");
    write_chip(out, std::string(record::to_text(certificate.verdict)), verdict_kind(certificate.verdict));
    out.close();
    out.element("td", std::to_string(certificate.certified_steps));
    const record::Check* worst = worst_check(certificate);
    out.element("td", worst == nullptr ? no_value
                                       : fmt::format("{} ({} {} {})", share_text(share_of_limit(*worst)),
                                                     worst->experiment, worst->quantity, worst->tensor));
    out.element("td", list_text(certificate.deviations));
    out.element("td", list_text(certificate.notes)).element("td", list_text(proof.cases, "; ")).close();
  }
  out.close().close().close();
}

void write_checks(HtmlWriter& out, const Proof& proof) {
  const record::Certificate& certificate = *proof.certificate;
  out.open("details").open("summary");
  out.text(fmt::format("{}: {} checks, {}", certificate.framework, certificate.checks.size(),
                       list_text(proof.cases, "; ")));
  out.close();
  out.element("p", fmt::format("Certificate {}, made {}.", certificate.key, certificate.created),
              {{"class", "note"}});
  out.open("div", {{"class", "frame"}}).open("table").open("thead").open("tr");
  for (const char* title : {"experiment", "quantity", "worst tensor"}) {
    out.element("th", title, {{"scope", "col"}});
  }
  for (const char* title : {"error", "limit", "error ÷ limit"}) {
    out.element("th", title, {{"scope", "col"}, {"class", "number"}});
  }
  out.element("th", "passed", {{"scope", "col"}}).close().close().open("tbody");
  for (const record::Check& check : certificate.checks) {
    out.open("tr").element("td", check.experiment).element("td", check.quantity).element("td", check.tensor);
    out.element("td", number(check.error), {{"class", "number"}})
        .element("td", number(check.limit), {{"class", "number"}});
    write_share(out, check);
    out.element("td", check.passed ? "yes" : "NO").close();
  }
  out.close().close().close().close();
}

// One line per certificate, one column per compared quantity: error ÷ limit of its worst tensor.
void write_matrix(HtmlWriter& out, const std::vector<Proof>& proofs) {
  std::vector<std::string> columns;
  const auto column_of = [](const record::Check& check) { return check.experiment + " " + check.quantity; };
  for (const Proof& proof : proofs) {
    for (const record::Check& check : proof.certificate->checks) {
      if (std::find(columns.begin(), columns.end(), column_of(check)) == columns.end()) {
        columns.push_back(column_of(check));
      }
    }
  }
  out.element("h3", "Worst error ÷ limit of each compared quantity");
  out.open("div", {{"class", "frame"}}).open("table").open("thead").open("tr");
  out.element("th", "framework", {{"scope", "col"}});
  for (const std::string& column : columns) {
    out.element("th", column, {{"scope", "col"}, {"class", "number"}});
  }
  out.close().close().open("tbody");
  for (const Proof& proof : proofs) {
    out.open("tr").element("td", proof.certificate->framework, {{"class", "name"}});
    for (const std::string& column : columns) {
      std::optional<double> worst;
      bool passed = true;
      for (const record::Check& check : proof.certificate->checks) {
        if (column_of(check) == column) {
          worst = std::max(worst.value_or(0.0), share_of_limit(check));
          passed = passed && check.passed;
        }
      }
      out.element("td", worst ? share_text(*worst) : no_value,
                  {{"class", passed ? "number" : "number over"}});
    }
    out.close();
  }
  out.close().close().close();
}

bool same_faults(const record::Certificate& a, const record::Certificate& b) {
  return std::equal(
      a.faults.begin(), a.faults.end(), b.faults.begin(), b.faults.end(), [](const auto& x, const auto& y) {
        return x.fault == y.fault && x.effect_over_limit == y.effect_over_limit && x.provable == y.provable;
      });
}

// The effect of a fault belongs to the work, not to the framework: equal lists are shown once.
void write_faults(HtmlWriter& out, const std::vector<Proof>& proofs) {
  std::vector<const record::Certificate*> shown;
  for (const Proof& proof : proofs) {
    const record::Certificate& certificate = *proof.certificate;
    const bool known = std::any_of(shown.begin(), shown.end(),
                                   [&](const auto* one) { return same_faults(*one, certificate); });
    if (known || certificate.faults.empty()) {
      continue;
    }
    shown.push_back(&certificate);
    std::vector<std::string> frameworks;
    for (const Proof& other : proofs) {
      if (same_faults(*other.certificate, certificate) &&
          std::find(frameworks.begin(), frameworks.end(), other.certificate->framework) == frameworks.end()) {
        frameworks.push_back(other.certificate->framework);
      }
    }
    out.element("h3", "Known faults and what they would do to this work");
    out.element(
        "p",
        fmt::format("Simulated effect of each fault on the checked numbers. Below ten limits the absence of "
                    "the fault is not provable here. Holds for: {}.",
                    list_text(frameworks)),
        {{"class", "note"}});
    SimpleTable table;
    table.columns = {{"fault", false}, {"effect ÷ limit", true}, {"proved", false}};
    for (const record::FaultEffect& fault : certificate.faults) {
      table.rows.push_back({fault.fault, share_text(fault.effect_over_limit),
                            fault.provable ? "would have been seen" : "not provable here"});
    }
    write_table(out, table);
  }
}

const char* proved_work(const std::vector<Proof>& proofs) {
  const auto is_training = [](const record::Check& check) {
    return check.quantity != "logits" && check.quantity != "top-1";
  };
  const bool train = std::ranges::any_of(proofs, [&](const Proof& proof) {
    return std::ranges::any_of(proof.certificate->checks, is_training);
  });
  return train ? "logits, loss, every gradient and several training steps"
               : "logits and the class of each sample";
}

}  // namespace

void write_gate(HtmlWriter& out, const PageView& view) {
  const std::vector<Proof> proofs = find_proofs(view);
  if (proofs.empty()) {
    out.element("p", "No case has a certificate.");
    return;
  }
  out.element("p", fmt::format("Before a case is timed, its framework computes {} on given weights and "
                               "batches, and a double-precision oracle computes the same. The error of the "
                               "worst tensor must stay below a limit derived from single-precision rounding.",
                               proved_work(proofs)));
  write_overview(out, proofs);
  for (const Proof& proof : proofs) {
    const record::Certificate& certificate = *proof.certificate;
    if (!certificate.reason.empty() || !certificate.diagnosis.empty()) {
      out.open("p").element("strong", certificate.framework).text(": " + certificate.reason);
      if (!certificate.diagnosis.empty()) {
        out.text(" Diagnosis: " + certificate.diagnosis);
      }
      out.close();
    }
  }
  write_matrix(out, proofs);
  for (const Proof& proof : proofs) {
    write_checks(out, proof);
  }
  write_faults(out, proofs);
}

}  // namespace dlbench::report
