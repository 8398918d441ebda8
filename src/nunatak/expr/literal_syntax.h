#pragma once

#include "nunatak/expr/expr.h"
#include "nunatak/expr/token_stream.h"

namespace nunatak {

/// Whether the next tokens begin a literal: a number, 'text', TRUE, FALSE, NULL, DATE '…' and the
/// like, CAST(…).
bool StartsLiteral(const TokenStream& tokens);

/// Takes a literal; also bare NaN and Infinity, which elsewhere may be names. Throws
/// `ErrorCode::kUsage` with a caret.
Literal TakeLiteral(TokenStream* tokens);

}  // namespace nunatak
