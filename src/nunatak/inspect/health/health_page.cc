#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "nunatak/base/bytes.h"
#include "nunatak/inspect/health/chart.h"
#include "nunatak/inspect/health/health_output.h"
#include "nunatak/inspect/json_values.h"
#include "nunatak/inspect/size_text.h"

namespace nunatak {

namespace {

constexpr std::string_view kStyle = R"(
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 60em; padding: 0 1em;
  color: #1c2733; background: #fff; }
h1 { font-size: 1.5em; overflow-wrap: anywhere; }
.size { color: #5a6773; }
.finding { border-left: 4px solid #9aa7b3; padding: 0 0 0 1em; margin: 1.5em 0; }
.finding h3 { margin: 0; font-size: 1em; overflow-wrap: anywhere; }
.finding p { margin: .2em 0; }
.serious { border-color: #c62f2f; } .warning { border-color: #d98d14; }
.badge { font-size: .8em; text-transform: uppercase; letter-spacing: .05em; color: #5a6773; }
pre { background: #f2f5f7; padding: .5em .8em; white-space: pre-wrap;
  overflow-wrap: anywhere; margin: .4em 0; }
table { border-collapse: collapse; } td { padding: 0 1em 0 0; vertical-align: top;
  overflow-wrap: anywhere; } td + td { font-variant-numeric: tabular-nums; }
svg { max-width: 100%; height: auto; } svg text { font: 12px system-ui, sans-serif; fill: #1c2733; }
svg rect { fill: #3d7ea6; }
)";

/// Appends valid UTF-8.
void AppendEscaped(std::string_view text, std::string* out) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool c1 =
        c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (c1) ++i;
    switch (text[i]) {
      case '&':
        *out += "&amp;";
        break;
      case '<':
        *out += "&lt;";
        break;
      case '>':
        *out += "&gt;";
        break;
      case '"':
        *out += "&quot;";
        break;
      case '\'':
        *out += "&#39;";
        break;
      default:
        *out += c1 || c == 0x7F || (c < 0x20 && c != '\n') ? ' ' : text[i];
    }
  }
}

/// A number without digits that say nothing.
std::string NumberText(double value) {
  if (value == std::floor(value)) return fmt::format("{:.0f}", value);
  return std::abs(value) < 1 ? fmt::format("{:.2g}", value) : fmt::format("{:.1f}", value);
}

/// A figure as people read it: bytes with a unit.
std::string FigureText(std::string_view key, const nlohmann::ordered_json& value) {
  if (value.is_number_float()) return NumberText(value.get<double>());
  const bool is_bytes = key == "bytes" || key.ends_with("_bytes");
  if (is_bytes && value.is_number_integer()) return SizeText(value.get<int64_t>());
  return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// The beginning of a label that is too long for its place.
std::string Shortened(std::string_view text) {
  constexpr size_t kMaxBytes = 36;
  if (text.size() <= kMaxBytes) return EscapeHtml(text);
  std::string_view begin = text.substr(0, kMaxBytes);
  // A character that was cut is left out.
  while (!begin.empty() && (static_cast<unsigned char>(text[begin.size()]) & 0xC0U) == 0x80U) {
    begin.remove_suffix(1);
  }
  return EscapeHtml(begin) + "…";
}

std::string ChartSvg(const Chart& chart) {
  constexpr int kLabelWidth = 270;
  constexpr int kBarWidth = 500;
  constexpr int kValueWidth = 100;
  constexpr int kLine = 22;
  double most = 0;
  for (const ChartBar& bar : chart.bars) most = std::max(most, bar.value);
  std::string svg = fmt::format(
      R"(<svg id="{}" role="img" aria-label="{}" viewBox="0 0 {} {}" width="{}">)", chart.name,
      EscapeHtml(chart.title), kLabelWidth + kBarWidth + kValueWidth,
      kLine * static_cast<int>(chart.bars.size()), kLabelWidth + kBarWidth + kValueWidth);
  int y = 0;
  for (const ChartBar& bar : chart.bars) {
    const double width = most > 0 ? bar.value / most * kBarWidth : 0;
    svg += fmt::format(
        R"(<g><title>{}: {} {}</title><text x="{}" y="{}" text-anchor="end">{}</text>)"
        R"(<rect x="{}" y="{}" width="{:.1f}" height="{}"/><text x="{:.1f}" y="{}">{}</text></g>)",
        EscapeHtml(bar.label), NumberText(bar.value), chart.unit, kLabelWidth - 8, y + 15,
        Shortened(bar.label), kLabelWidth, y + 3, width, kLine - 6, kLabelWidth + width + 6, y + 15,
        NumberText(bar.value));
    y += kLine;
  }
  return svg + "</svg>\n";
}

/// The figures of a finding that are no lists.
std::string FiguresTable(const nlohmann::ordered_json& figures) {
  std::string rows;
  for (const auto& [key, value] : figures.items()) {
    if (value.is_structured()) continue;
    rows += fmt::format("<tr><td>{}</td><td>{}</td></tr>", EscapeHtml(key),
                        EscapeHtml(FigureText(key, value)));
  }
  return rows.empty() ? "" : "<table>" + rows + "</table>\n";
}

std::string FindingSection(const HealthFinding& finding) {
  return fmt::format(
      "<section class=\"finding {0}\" data-check=\"{1}\">\n"
      "<p class=\"badge\">{0} · {1}</p>\n<h3>{2}</h3>\n<p>Why: {3}.</p>\n{4}<pre>{5}</pre>\n"
      "</section>\n",
      ToString(finding.severity), finding.name(), EscapeHtml(finding.title),
      EscapeHtml(finding.why()), FiguresTable(finding.figures), EscapeHtml(finding.remedy()));
}

}  // namespace

std::string EscapeHtml(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (;;) {
    const std::string_view valid = ValidUtf8Prefix(text);
    AppendEscaped(valid, &out);
    if (valid.size() == text.size()) return out;
    out += "\xEF\xBF\xBD";
    text.remove_prefix(valid.size() + 1);
  }
}

std::string HealthPage(const HealthReport& report) {
  const std::string name = EscapeHtml(report.location);
  const nlohmann::ordered_json time = TimeJson(report.measured_at_ms);
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<title>Health of {0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n"
      "<p id=\"verdict\"><strong>{2}</strong></p>\n<p class=\"size\">{3}<br>snapshot {4}, measured "
      "at {5}</p>\n<h2>Findings</h2>\n",
      name, kStyle, EscapeHtml(HealthVerdict(report)), EscapeHtml(HealthSize(report)),
      report.snapshot_id ? fmt::format("{}", *report.snapshot_id) : "none",
      EscapeHtml(time.is_string() ? time.get<std::string>() : time.dump()));
  if (report.findings.empty()) page += "<p>Nothing found.</p>\n";
  for (const HealthFinding& finding : report.findings) page += FindingSection(finding);
  for (const Chart& chart : ChartsOf(report.figures)) {
    page += fmt::format("<h2>{}</h2>\n", EscapeHtml(chart.title));
    page += chart.bars.empty() ? fmt::format("<p id=\"{}\">There are none.</p>\n", chart.name)
                               : ChartSvg(chart);
  }
  return page + "</body>\n</html>\n";
}

}  // namespace nunatak
