#include "nunatak/cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include "nunatak/base/bytes.h"
#include "nunatak/base/display_width.h"

namespace nunatak::cli {

namespace {

int WidthOf(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* columns = std::getenv("COLUMNS");
  return columns ? std::atoi(columns) : 0;
}

bool UnderstandsEscapes() {
  const char* term = std::getenv("TERM");
  return term && std::string_view(term) != "dumb";
}

/// https://no-color.org: set to anything but the empty text.
bool RefusesColour() {
  const char* no_colour = std::getenv("NO_COLOR");
  return no_colour && *no_colour != '\0';
}

/// The parameters of "select graphic rendition".
const char* ParametersOf(Style style) {
  switch (style) {
    case Style::kHeader:
      return "1";
    case Style::kError:
      return "1;31";
    case Style::kHint:
      return "36";
  }
  return "0";
}

/// Blanks out C0 (but for line ends), DEL, and C1, which UTF-8 spells in two bytes.
void BlankControls(std::string_view text, std::string* out) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<uint8_t>(text[i]);
    const bool c1 = c == 0xC2 && i + 1 < text.size() && static_cast<uint8_t>(text[i + 1]) < 0xA0;
    if (c1) ++i;
    *out += c1 || c == 0x7F || (c < 0x20 && c != '\n') ? ' ' : text[i];
  }
}

}  // namespace

Terminal Terminal::Of(std::FILE* stream) {
  const int descriptor = ::fileno(stream);
  if (!::isatty(descriptor)) return {.stream = stream};
  const bool interactive = UnderstandsEscapes();
  return {.stream = stream,
          .width = WidthOf(descriptor),
          .interactive = interactive,
          .colour = interactive && !RefusesColour()};
}

std::string Terminal::Styled(Style style, std::string_view text) const {
  if (!colour) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", ParametersOf(style), text);
}

std::string Printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (;;) {
    const std::string_view valid = ValidUtf8Prefix(text);
    BlankControls(valid, &out);
    if (valid.size() == text.size()) return out;
    out += "\xEF\xBF\xBD";
    text.remove_prefix(valid.size() + 1);
  }
}

std::string PrintableLine(std::string_view text) { return OneLine(Printable(text)); }

}  // namespace nunatak::cli
