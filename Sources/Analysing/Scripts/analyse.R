# Works every figure of analysis.json out again, from the tables beside it: Rscript analyse.R [FOLDER]
#
# It needs jsonlite and lme4; lmerTest is asked beside them where it is installed. Degrees of freedom and robust errors are
# base R. It prints each figure with the program's value and its own, and ends with 1 where one differs or was not compared.
# Change a model here, and you see which figures change.
suppressMessages({library(jsonlite); library(lme4)})
asked <- commandArgs(TRUE)
folder <- if (length(asked)) asked[1] else dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
# Relative. lme4 finds the ratio of variances to about 1e-6, because a likelihood is flat at its maximum. Sign flips that the
# program draws are drawn here by R: five standard errors. Differences below 1e-9 are rounding, in any unit.
closed <- 1e-6; fitted_ <- 1e-4; rounding <- 1e-9
is_fitted <- "\\.conditions\\.|\\.contrasts\\[|\\.sensitivity\\[|outcomes\\[[0-9]+\\]\\.(p|holmP)$"
not_reproduced <- c(
  "^studies\\[\\d+\\]\\.(responses|incomplete)" = "measured in the recordings: the rows of responses.csv",
  "^studies\\[\\d+\\]\\.outcomes\\[\\d+\\]\\.calibration" = "simulated studies; 'entrain analyse --calibrate' with the same seed repeats them",
  "^(?!studies)|^studies\\[\\d+\\]\\.texts" = "facts about runs, not results")

# A table as texts; a text with the guard ' is as it was, and an empty cell is NA.
table_of <- function(name) {
  rows <- read.csv(file.path(folder, name), colClasses = "character", na.strings = "", encoding = "UTF-8", check.names = FALSE)
  rows[] <- lapply(rows, function(x) sub("^'", "", x))
  for (key in intersect(names(rows), c("session", "place", "value", "baseline", "change", "coverage", "later_value", "later_baseline", "tempo",
                                       "before_tempo", "rmssd_baseline", "rmssd_change", "number", "first_run", "second_run", "r", "second")))
    rows[[key]] <- as.numeric(rows[[key]])
  rows
}
sorted <- function(x) sort(unique(x[!is.na(x)]), method = "radix")
by_key <- function(rows, key) split(rows, factor(key, sorted(key)))
counts <- function(x) as.list(table(x[!is.na(x)]))
flag <- function(x) !is.na(x) & x == "TRUE"
differ <- 0; missed <- 0; equal <- 0; left <- c()
report <- function(path, told, own, same) {
  show <- function(x) if (is.numeric(x)) format(x, digits = 15) else if (is.null(x)) "not worked out" else as.character(x)[1]
  cat(sprintf("%-76s %24s %24s %s\n", path, show(told), show(own), if (same) "equal" else "DIFFERENT"))
}
# Another function of R must agree with what stands here.
beside <- function(what, own, theirs, tolerance) {
  same <- abs(own - theirs) <= max(rounding, tolerance * abs(theirs))
  if (same) equal <<- equal + 1 else { differ <<- differ + 1; report(paste("beside:", what), theirs, own, FALSE) }
}

# ---- Tests of means

# Signs, one column for each participant: all of them for up to 16 participants, or drawn ones.
signs <- function(people, drawn) {
  if (people <= 16) 1 - 2 * outer(0:(2^people - 1), 0:(people - 1), function(flip, bit) floor(flip / 2^bit) %% 2)
  else matrix(sample(c(-1, 1), people * drawn, TRUE), drawn)
}
# The share of flips whose statistic is as large as the one found, which itself is one of the drawn.
flipped <- function(vectors, drawn, statistic, slack) {
  exact <- nrow(vectors) <= 16
  far <- sum(statistic(signs(nrow(vectors), drawn) %*% vectors) >= slack(statistic(t(colSums(vectors)))))
  count <- if (exact) 2^nrow(vectors) else drawn
  list(p = if (exact) far / count else (far + 1) / (count + 1), flips = count, exact = exact)
}
# One value for each participant against 0: Student's interval, Cohen's dz, and sign flips.
paired <- function(x) {
  x[abs(x) < rounding] <- 0
  n <- length(x)
  own <- list(participants = n, mean = mean(x), deviation = NA, low = NA, high = NA, dz = NA)
  if (n > 1) {
    own$deviation <- if (sd(x) < rounding) 0 else sd(x)
    half <- qt(0.975, n - 1) * own$deviation / sqrt(n)
    own$low <- mean(x) - half
    own$high <- mean(x) + half
    if (own$deviation > 0) own$dz <- mean(x) / own$deviation
  }
  c(own, flipped(cbind(x), 99999, function(s) abs(s[, 1]), function(found) found - 1e-12 * sum(abs(x))))
}
# The power of Student's paired test at 5 %, by the noncentral t.
power <- function(effect, n) {
  limit <- qt(0.975, n - 1)
  suppressWarnings(1 - pt(limit, n - 1, abs(effect) * sqrt(n)) + pt(-limit, n - 1, abs(effect) * sqrt(n)))
}
# How many participants show the same difference with 80 and 90 %, and what this many show with 80 %.
next_study <- function(own) {
  if (is.na(own$dz)) return(NA)
  needed <- function(share) {
    low <- 1; high <- 2
    while (power(own$dz, high) < share) { low <- high; high <- 2 * high; if (high > 1e6) return(NA) }
    while (high - low > 1) { middle <- (low + high) %/% 2; if (power(own$dz, middle) < share) low <- middle else high <- middle }
    high
  }
  most <- 1
  while (power(most, own$participants) < 0.8) most <- 2 * most
  list(participantsFor80 = needed(0.8), participantsFor90 = needed(0.9),
       detectable = own$deviation * uniroot(function(d) power(d, own$participants) - 0.8, c(0, most), tol = 1e-13)$root)
}
# t, its interval, and the size with the interval of the noncentral t.
contrast <- function(first, second, participants, estimate, error, df, deviation) {
  t <- estimate / error
  half <- qt(0.975, df) * error
  own <- list(first = first, second = second, participants = participants, estimate = estimate, error = error, degrees = df, t = t,
              p = 2 * pt(-abs(t), df), low = estimate - half, high = estimate + half, size = NA, sizeLow = NA, sizeHigh = NA)
  own$holmP <- own$p
  if (deviation > 0) {
    wide <- qnorm(0.975) * sqrt(1 + t^2 / (2 * df))
    shift <- if (abs(t) + wide >= 30) t + c(-wide, wide) else  # beyond, it is almost normal
      sapply(c(0.975, 0.025), function(share) suppressWarnings(
        uniroot(function(shift) pt(t, df, shift) - share, t + c(-4, 4) * wide, tol = 1e-12)$root))
    own[c("size", "sizeLow", "sizeHigh")] <- c(estimate, shift * error) / deviation
  }
  own
}
corrected <- function(pairs) {
  p <- p.adjust(sapply(pairs, `[[`, "p"), "holm")
  Map(function(pair, p) { pair$holmP <- p; pair }, pairs, p)
}
# The least and the greatest deviation, if one is more than twice the other.
uneven <- function(named) {
  named <- named[!is.na(named)]
  if (!length(named) || max(named) <= 2 * min(named)) return(NA)
  list(least = list(name = names(which.min(named)), deviation = min(named)), most = list(name = names(which.max(named)), deviation = max(named)))
}
combined <- function(n) if (n < 2) NULL else combn(n, 2, simplify = FALSE)

# ---- Arms

# value ~ arm (+ baseline), each arm with a variance of its own: Welch's tests, with a baseline Johansen's (1980).
# NULL if an arm has one member, or nothing varies.
arms <- function(m) {
  names <- sorted(m$arm)
  k <- length(names)
  own <- match(m$arm, names)
  n <- tabulate(own, k)
  if (k < 2 || min(n) < 2) return(NULL)
  centred <- if (anyNA(m$baseline)) 0 * m$value else m$baseline - mean(m$baseline)
  within <- centred - ave(centred, own)
  adjusted <- sum(within^2) > 1e-18 * max(1, if (anyNA(m$baseline)) 0 else mean(m$baseline)^2)
  x <- cbind(outer(own, seq_len(k), `==`) + 0, if (adjusted) centred)
  solve_ <- solve(crossprod(x), t(x))
  beta <- drop(solve_ %*% m$value)
  df <- n - 1 - if (adjusted) sapply(seq_len(k), function(i) sum(within[own == i]^2)) / sum(within^2) else 0
  if (min(df) <= 1e-9) return(NULL)
  rest <- drop(m$value - x %*% beta)
  # What each arm adds to the covariance of the coefficients.
  parts <- lapply(seq_len(k), function(i) sum(rest[own == i]^2) / df[i] * tcrossprod(solve_[, own == i, drop = FALSE]))
  deviation <- setNames(sapply(seq_len(k), function(i) sd(m$value[own == i])), names)
  pooled <- function(i) sqrt(sum(deviation[i]^2 * (n[i] - 1)) / sum(n[i] - 1))
  pairs <- Filter(Negate(is.null), lapply(combined(k), function(ij) {
    weights <- replace(numeric(ncol(x)), ij, c(1, -1))
    each <- sapply(parts, function(part) weights %*% part %*% weights)
    estimate <- sum(weights * beta)
    if (sum(each) <= 1e-24 * max(1, estimate^2)) return(NULL)
    found <- contrast(names[ij[1]], names[ij[2]], sum(n[ij]), estimate, sqrt(sum(each)), sum(each)^2 / sum(each^2 / df),
                      pooled(if (adjusted) seq_len(k) else ij))
    if (!adjusted && min(deviation[ij]) > 0) beside("t.test", found$p, t.test(m$value[own == ij[1]], m$value[own == ij[2]])$p.value, closed)
    found
  }))
  omnibus <- NA
  if (k > 2) {
    q <- k - 1
    weights <- cbind(diag(q), -1, if (adjusted) 0)
    covariance <- weights %*% Reduce(`+`, parts) %*% t(weights)
    if (qr(covariance)$rank < q) return(NULL)
    turned <- lapply(parts, function(part) weights %*% part %*% t(weights) %*% solve(covariance))
    doubt <- sum(mapply(function(t, d) (sum(diag(t))^2 + sum(diag(t %*% t))) / d, turned, df)) / 2
    difference <- weights %*% beta
    f <- drop(t(difference) %*% solve(covariance, difference)) / (q + 2 * doubt - 6 * doubt / (q + 2))
    denominator <- q * (q + 2) / (3 * doubt)
    omnibus <- list(f = f, numerator = q, denominator = denominator, p = pf(f, q, denominator, lower.tail = FALSE))
    if (!adjusted && min(deviation) > 0) beside("oneway.test", omnibus$p, oneway.test(m$value ~ factor(own))$p.value, closed)
  }
  if (!length(pairs)) return(NULL)
  list(method = if (adjusted) "adjusted" else "welch", pairs = corrected(pairs), omnibus = omnibus, unevenSpread = uneven(deviation),
       groups = lapply(seq_len(k), function(i) list(
         name = names[i], participants = n[i], mean = mean(m$value[own == i]), deviation = deviation[[i]])))
}

# ---- Conditions within participants

# Which columns are no combination of earlier ones, and orthonormal columns for them.
independent <- function(columns, whole = columns) {
  kept <- c(); basis <- matrix(0, nrow(columns), 0)
  for (k in seq_len(ncol(columns))) {
    rest <- columns[, k]
    for (twice in 1:2) rest <- rest - basis %*% crossprod(basis, rest)
    if (sqrt(sum(rest^2)) > 1e-7 * sqrt(sum(whole[, k]^2))) { kept <- c(kept, k); basis <- cbind(basis, rest / sqrt(sum(rest^2))) }
  }
  list(kept = kept, basis = basis)
}
# y ~ columns + (1 | participant) by REML; ratio is the participants' variance over the residual one, s.
mixed <- function(y, columns, groups) {
  kept <- independent(columns)$kept
  x <- columns[, kept, drop = FALSE]
  fit <- suppressWarnings(suppressMessages(lmer(y ~ 0 + x + (1 | groups), control = lmerControl(
    optimizer = "bobyqa", optCtrl = list(rhoend = 1e-10), calc.derivs = FALSE, check.conv.singular = "ignore"))))
  ratio <- getME(fit, "theta")[[1]]^2
  if (ratio < exp(-16)) ratio <- 0
  n <- tabulate(groups)
  # Rows that are independent if the rows of a participant share an intercept.
  white <- function(m) m - ((1 - 1 / sqrt(1 + n * ratio)) / n)[groups] * rowsum(m, groups)[groups, , drop = FALSE]
  covariance <- solve(crossprod(white(x)))
  list(fit = fit, kept = kept, x = x, ratio = ratio, s = sigma(fit)^2, beta = unname(fixef(fit)), df = length(y) - length(kept), n = n,
       groups = groups, white = white, c = covariance, rest = drop(y - x %*% fixef(fit)), residuals = unname(residuals(fit)))
}
# Degrees of freedom of w'beta from the curvature of the likelihood, as lmerTest has them.
satterthwaite <- function(m, w) {
  if (m$ratio == 0) return(m$df)
  u <- 1 / (1 + m$ratio * m$n)
  us <- rowsum(m$x, m$groups) * u
  zpy <- u * drop(rowsum(m$rest, m$groups))
  zpz <- diag(m$n * u) - us %*% m$c %*% t(us)
  variance <- drop(w %*% m$c %*% w)
  slope <- c(m$s * sum((us %*% m$c %*% w)^2), variance)
  both <- sum(zpy^2) / m$s^2
  curve <- matrix(c(2 * drop(zpy %*% zpz %*% zpy) / m$s - sum(zpz^2), both, both, m$df / m$s^2), 2)
  if (det(curve) <= 0) return(m$df)
  drop(2 * (m$s * variance)^2 / (slope %*% (2 * solve(curve)) %*% slope))
}
# CR2 (Pustejovsky and Tipton 2018): each participant's score, and their parts of the degrees of freedom.
robust <- function(m) {
  x <- m$white(m$x); e <- drop(m$white(cbind(m$rest)))
  m$people <- lapply(seq_along(m$n), function(person) {
    own <- x[m$groups == person, , drop = FALSE]
    eigen_ <- eigen(diag(nrow(own)) - own %*% m$c %*% t(own), symmetric = TRUE)
    root <- ifelse(eigen_$values > 1e-9, 1 / sqrt(pmax(eigen_$values, 1e-9)), 0)
    adjusted <- eigen_$vectors %*% (root * crossprod(eigen_$vectors, own))
    list(adjusted = adjusted, product = crossprod(adjusted, own), score = drop(crossprod(adjusted, e[m$groups == person])))
  })
  m$scores <- do.call(rbind, lapply(m$people, `[[`, "score"))
  m
}
# The contrast of the columns, its cluster-robust error and Satterthwaite's degrees of freedom for that; NULL if not estimable.
estimate <- function(m, weights) {
  if (any(weights[-m$kept] != 0)) return(NULL)
  w <- weights[m$kept]
  solved <- drop(m$c %*% w)
  c(sum(w * m$beta), sqrt(sum((m$scores %*% solved)^2)), degrees(m, solved))
}
degrees <- function(m, solved) {
  sums <- do.call(rbind, lapply(m$people, function(p) drop(solved %*% p$product)))
  middle <- diag(sapply(m$people, function(p) sum((p$adjusted %*% solved)^2))) - sums %*% m$c %*% t(sums)
  sum(diag(middle))^2 / sum(middle^2)
}
# F for all columns (Fai and Cornelius 1996), and epsilon of Greenhouse and Geisser for their robust covariance. In their own
# stratum, only what people differ in along these columns is the error, as in repeated measures.
joint_test <- function(m, columns, in_own_stratum = FALSE) {
  own <- intersect(columns, m$kept)
  if (length(own) == 1) {
    found <- estimate(m, replace(numeric(max(m$kept)), own, 1))
    return(list(f = (found[1] / found[2])^2, numerator = 1, denominator = found[3], epsilon = 1))
  }
  w <- diag(length(m$kept))[match(own, m$kept), ]
  eigen_ <- eigen(w %*% m$c %*% t(w), symmetric = TRUE)
  directions <- t(eigen_$vectors) %*% w
  df <- apply(directions, 1, function(d) satterthwaite(m, d))
  joint <- min(df)
  if (max(df) - joint > 1e-8 * joint) {
    expected <- sum(df / (df - 2))
    joint <- if (joint > 2) 2 * expected / (expected - length(df)) else 2
  }
  f <- sum((directions %*% m$beta)^2 / (m$s * eigen_$values)) / length(own)
  if (m$ratio > 0.0025 && requireNamespace("lmerTest", quietly = TRUE)) {
    theirs <- suppressWarnings(suppressMessages(lmerTest::contestMD(lmerTest::as_lmerModLmerTest(m$fit), w)))
    beside("lmerTest's F", f, theirs[["F value"]], fitted_)
    # It has derivatives by differences.
    beside("lmerTest's degrees of freedom", joint, theirs$DenDF, 1e-2)
  }
  moved <- m$scores %*% m$c %*% t(directions / sqrt(eigen_$values))
  spread <- crossprod(moved)
  if (in_own_stratum) {
    f <- f * m$s * length(own) / sum(diag(spread))
    joint <- sum(apply(directions / sqrt(eigen_$values), 1, function(d) degrees(m, drop(m$c %*% d))))
  }
  list(f = f, numerator = length(own), denominator = joint, epsilon = min(sum(diag(spread))^2 / (length(own) * sum(spread^2)), 1))
}
# The mean of each participant and condition, in the order of the first row of each; shares are those of the conditions before.
cells <- function(rows, levels) {
  cell <- paste(match(rows$participant, sorted(rows$participant)), match(rows$condition, levels))
  before <- outer(rows$before, levels, function(a, b) !is.na(a) & a == b) + 0
  made <- rows[!duplicated(cell), intersect(c("participant", "condition", "level", "second_level"), names(rows))]
  groups <- factor(cell, unique(cell))
  for (key in c("session", "place", "value", "rest")) made[[key]] <- as.vector(tapply(rows[[key]], groups, mean))
  made$shares <- rowsum(before, groups) / as.vector(table(groups))
  made
}
# Each condition as columns: one for each but the first or, of two crossed columns, one for each of their values but the
# first, and the products. With that, the place of each combination. NULL if a combination has no values.
coded <- function(rows, levels, crossed) {
  if (!crossed) return(list(codes = diag(length(levels))[, -1, drop = FALSE]))
  told <- rows[match(levels, rows$condition), ]
  firsts <- sorted(told$level); seconds <- sorted(told$second_level)
  at <- outer(firsts, seconds, Vectorize(function(a, b) match(TRUE, told$level == a & told$second_level == b)))
  if (min(dim(at)) < 2 || anyNA(at)) return(NULL)
  one <- outer(told$level, firsts[-1], `==`) + 0; other <- outer(told$second_level, seconds[-1], `==`) + 0
  products <- do.call(cbind, lapply(seq_len(ncol(one)), function(i) one[, i] * other))
  list(codes = cbind(one, other, products), at = at, firsts = firsts, seconds = seconds)
}
# The columns of the model: one, the conditions, sessions, places, the rest before, the condition before.
design <- function(rows, levels, codes, groups, averaged) {
  n <- length(levels)
  columns <- cbind(1, codes[match(rows$condition, levels), , drop = FALSE])
  spans <- list(); costly <- list()
  within <- function(m) apply(as.matrix(m), 2, function(x) x - ave(x, groups))
  # How many columns tell something within participants, and the variance of all contrasts there.
  spread <- function(columns) {
    found <- independent(within(columns), columns)
    r <- crossprod(found$basis, within(columns)[, found$kept])
    weights <- sapply(combined(n), function(ab) ifelse(
      found$kept > 1 & found$kept <= n, (codes[ab[1], ] - codes[ab[2], ])[pmin(pmax(found$kept - 1, 1), n - 1)], 0))
    c(length(found$kept), sum(solve(t(r), weights)^2))
  }
  # Columns that cannot be told from others, or that make contrasts less than half as precise, may be left out.
  add <- function(kind, span, unless_costly) {
    if (unless_costly) {
      base <- do.call(cbind, c(list(columns), spans))
      few <- spread(base); many <- spread(cbind(base, span))
      told <- many[1] - few[1] == ncol(span)
      if (!told || many[2] > 4 * few[2]) {
        costly[[length(costly) + 1]] <<- list(kind = kind, kept = 0, columns = ncol(span), tooCostly = told)
        return(invisible())
      }
    }
    spans[[kind]] <<- span
  }
  for (kind in c("session", "place")) {
    x <- rows[[kind]]
    distinct <- sort(unique(x))
    if (length(distinct) > 1)
      add(kind, if (averaged || length(distinct) > 12) cbind(x) else outer(x, distinct[-1], `==`) + 0, averaged && kind == "place")
  }
  if (!anyNA(rows$rest)) {
    own <- ave(rows$rest, groups)
    add("rest", cbind(own - mean(own), rows$rest - own), FALSE)
  }
  before <- rows$shares[, -n, drop = FALSE] - rows$shares[, n]
  if (any(rows$shares > 0)) add("before", before, TRUE)
  list(columns = do.call(cbind, c(list(columns), spans)), spans = sapply(spans, ncol), costly = costly)
}
# value ~ condition + session + place + rest + condition before + (1 | participant), of the means of each participant and
# condition, with cluster-robust errors. If two columns are crossed, the test is that of the products (the interaction). NULL
# if fewer than two participants have several conditions, or nothing varies.
conditions <- function(rows, factor, crossed = FALSE) {
  levels <- sorted(rows$condition)
  responses <- nrow(rows)
  rows <- cells(rows, levels)
  people <- sorted(rows$participant)
  groups <- match(rows$participant, people)
  heard <- table(groups, factor(rows$condition, levels)) > 0
  if (length(levels) > 24 || sum(rowSums(heard) > 1) < 2) return(NULL)
  coding <- coded(rows, levels, crossed)
  if (is.null(coding)) return(NULL)
  made <- design(rows, levels, coding$codes, groups, nrow(rows) < responses)
  y <- rows$value
  kept <- independent(made$columns)
  left <- y - kept$basis %*% crossprod(kept$basis, y)
  if (length(y) <= length(kept$kept) || sum(left^2) <= 1e-18 * length(y) * max(1, max(abs(y))^2)) return(NULL)
  m <- robust(mixed(y, made$columns, groups))
  tested <- if (crossed) tail(seq_along(levels), prod(dim(coding$at) - 1)) else seq_along(levels)[-1]
  omnibus <- joint_test(m, tested, crossed)
  omnibus$p <- with(omnibus, pf(f, epsilon * numerator, epsilon * denominator, lower.tail = FALSE))
  flips <- condition_flips(y, made$columns, tested, groups)
  omnibus[c("flipsP", "flips", "exact")] <- flips[c("p", "flips", "exact")]
  pair <- function(first, second, which, signs) {
    weights <- c(0, signs %*% coding$codes[which, ], numeric(ncol(made$columns) - length(levels)))
    found <- estimate(m, weights)
    if (is.null(found)) NULL
    else contrast(first, second, sum(rowSums(!heard[, which]) == 0), found[1], found[2], found[3], sqrt(length(which) * m$s))
  }
  pairs <- if (!crossed) lapply(combined(length(levels)), function(ab) pair(levels[ab[1]], levels[ab[2]], ab, c(1, -1)))
  else with(coding, c(
    unlist(lapply(seq_along(seconds), function(b) lapply(combined(length(firsts)), function(ij)
      pair(levels[at[ij[1], b]], levels[at[ij[2], b]], at[ij, b], c(1, -1)))), FALSE),
    unlist(lapply(combined(length(firsts)), function(ij) lapply(combined(length(seconds)), function(bc)
      pair(sprintf("(%s - %s) in %s", firsts[ij[1]], firsts[ij[2]], seconds[bc[1]]), paste("in", seconds[bc[2]]),
           c(at[ij, bc]), c(1, -1, -1, 1)))), FALSE)))
  pairs <- Filter(Negate(is.null), pairs)
  ends <- length(levels) + cumsum(made$spans)
  adjustments <- unname(Map(function(kind, size, end) list(
    kind = kind, kept = sum(m$kept > end - size & m$kept <= end), columns = size, tooCostly = FALSE), names(made$spans), made$spans, ends))
  adjustments <- c(adjustments, made$costly)
  limit <- qt(1 - 0.025 / length(y), m$df) * sqrt(m$s)
  list(factor = factor, conditions = levels, clips = responses, means = length(y), participants = length(people),
       incompleteParticipants = sum(rowSums(heard) < length(levels)), omnibus = omnibus, pairs = corrected(pairs), adjustments = adjustments,
       participantDeviation = sqrt(m$ratio * m$s), residualDeviation = sqrt(m$s), singular = m$ratio == 0,
       unevenSpread = spread_of_conditions(y, groups, match(rows$condition, levels), levels),
       outliers = lapply(m$residuals[abs(m$residuals) > limit], function(r) list(residualDeviations = r / sqrt(m$s))))
}
# Flips each participant's contribution to the score of the conditions, in the model without them (Hemerik et al. 2020).
condition_flips <- function(y, columns, tested, groups) {
  others <- columns[, -tested, drop = FALSE]
  null <- mixed(y, others, groups)
  basis <- independent(null$white(others), others)$basis
  left <- null$white(cbind(y))
  left <- drop(left - basis %*% crossprod(basis, left))
  whole <- independent(cbind(basis, null$white(columns[, tested, drop = FALSE])))$basis
  adjusting <- seq_len(ncol(basis))
  flipped(rowsum(whole * left, groups), 9999, function(sums) {
    rowSums(sums[, -adjusting, drop = FALSE]^2) / pmax(sum(left^2) - rowSums(sums[, adjusting, drop = FALSE]^2), .Machine$double.xmin)
  }, function(found) found * (1 - 1e-9))
}
# Of participants' differences between two of several conditions, or else of the conditions.
spread_of_conditions <- function(y, groups, level, levels) {
  values <- matrix(NA, max(groups), length(levels))
  values[cbind(groups, level)] <- y
  own <- setNames(apply(values, 2, sd, na.rm = TRUE), levels)
  differences <- sapply(combined(length(levels)), function(ab) setNames(
    sd(values[, ab[1]] - values[, ab[2]], na.rm = TRUE), paste(levels[ab[1]], "-", levels[ab[2]])))
  found <- if (length(levels) > 2) uneven(differences) else NA
  if (is.list(found)) found else uneven(own)
}

# ---- Outcomes

factors <- list(condition = function(r) r$condition, clip = function(r) r$clip, task = function(r) r$task,
                session = function(r) paste("session", r$session))
levelled <- function(level, second) ifelse(is.na(second), level, paste(level, second, sep = ", "))
of_rows <- c(factors, list(level = function(r) levelled(r$level, r$second_level)))
# The mean of each participant.
people_of <- function(rows) do.call(rbind, lapply(by_key(rows, rows$participant), function(own) data.frame(
  arm = own$arm[1], value = mean(own$change), baseline = if (is.na(own$baseline[1])) NA else mean(own$baseline))))
# What the design allows: arms, else conditions, clips, tasks or sessions within participants, else pairs or a mean.
answer <- function(rows, of, relative, columns = character()) {
  if (length(columns)) {
    own <- data.frame(participant = rows$participant, session = rows$session, place = rows$place,
                      condition = of_rows$level(rows), level = rows$level, second_level = rows$second_level,
                      before = levelled(rows$before_level, rows$before_second_level), value = rows$change, rest = rows$baseline)
    found <- if (nrow(own)) conditions(own[!is.na(own$condition), ], "level", length(columns) == 2)
    if (is.null(found)) return(list(design = "none", p = NA))
    return(list(design = "crossover", conditions = found, p = found$omnibus$p, pairs = shown(found$pairs),
                armsByConditions = if (length(sorted(rows$arm)) > 1) arms_by_conditions(rows, of_rows["level"]) else NA))
  }
  if (length(sorted(rows$arm)) > 1) {
    found <- arms(people_of(rows[!is.na(rows$arm), ]))
    if (!is.null(found)) return(list(
      design = "arms", arms = found, p = if (is.list(found$omnibus)) found$omnibus$p else found$pairs[[1]]$p,
      armsByConditions = arms_by_conditions(rows), pairs = found$pairs))
  }
  for (factor in names(factors)) {
    condition <- factors[[factor]](rows)
    if (factor == "session" && !is.na(relative) || length(sorted(condition)) < 2) next
    own <- data.frame(participant = rows$participant, session = if (factor == "session") 1 else rows$session, place = rows$place,
                      condition = condition, before = if (factor %in% c("condition", "clip")) rows[[paste0("before_", factor)]] else NA,
                      value = rows$change, rest = rows$baseline)
    found <- conditions(own[!is.na(condition), ], factor)
    if (is.null(found)) next
    return(list(design = if (factor == "session") "sessions" else "crossover", conditions = found, p = found$omnibus$p, pairs = shown(found$pairs)))
  }
  if (!nrow(rows)) return(list(design = "none", p = NA))
  own <- paired(people_of(rows)$value)
  if (is.na(relative)) return(list(design = "oneGroup", mean = c(own, count = own$participants), p = NA))
  if (is.na(own$deviation) || own$deviation == 0) return(list(design = "prePost", change = own, test = NA, p = NA))
  n <- own$participants
  test <- contrast(of, relative, n, own$mean, own$deviation / sqrt(n), n - 1, own$deviation)
  list(design = "prePost", change = own, test = test, p = test$p, pairs = list(test))
}
# Those that people are shown.
shown <- function(pairs) {
  p <- sapply(pairs, `[[`, "p")
  if (length(pairs) > 28) pairs[p < sort(p)[29]] else pairs
}
# Whether arms differ in each participant's difference between two conditions.
arms_by_conditions <- function(rows, factors. = factors) {
  factors <- factors.
  for (factor in names(factors)) {
    condition <- factors[[factor]](rows)
    levels <- sorted(condition)
    if (!any(tapply(condition, rows$participant, function(own) length(sorted(own)) > 1)) || length(levels) > 6) next
    means <- tapply(rows$change, list(rows$participant, factor(condition, levels)), mean)
    arm <- tapply(rows$arm, rows$participant, `[`, 1)
    pairs <- Filter(function(pair) !is.null(pair$arms), lapply(combined(length(levels)), function(ab) {
      m <- data.frame(arm = arm, value = means[, ab[1]] - means[, ab[2]], baseline = NA)
      list(first = levels[ab[1]], second = levels[ab[2]], arms = arms(m[!is.na(m$value) & !is.na(m$arm), ]))
    }))
    if (!length(pairs)) next
    p <- p.adjust(unlist(lapply(pairs, function(pair) sapply(pair$arms$pairs, `[[`, "p"))), "holm")
    for (a in seq_along(pairs)) for (b in seq_along(pairs[[a]]$arms$pairs)) {
      pairs[[a]]$arms$pairs[[b]]$holmP <- p[1]
      p <- p[-1]
    }
    return(list(factor = factor, pairs = pairs))
  }
  NA
}
# A primary outcome with other choices of values.
sensitivity <- function(rows, found, of, relative, columns) {
  group <- if (!is.null(found$conditions)) of_rows[[found$conditions$factor]](rows) else if (!is.null(found$arms)) rows$arm else rep(NA, nrow(rows))
  group <- factor(group, exclude = NULL)
  middle <- ave(rows$change, group, FUN = median)
  spread <- 1.4826 * ave(abs(rows$change - middle), group, FUN = median)
  later <- rows[!is.na(rows$later_value), ]
  later$change <- later$later_value - ifelse(is.na(later$later_baseline), 0, later$later_baseline)
  later$baseline <- later$later_baseline
  choices <- list(perProtocol = rows[flag(rows$per_protocol), ], covered = rows[is.na(rows$coverage) | rows$coverage >= 0.9, ], later = later,
                  withoutOutliers = rows[spread == 0 | abs(rows$change - middle) <= 3.5 * spread, ])
  clearest <- if (length(found$pairs)) found$pairs[[which.min(sapply(found$pairs, `[[`, "p"))]]
  changed <- Filter(function(kind) if (kind == "later") nrow(later) > 0 else nrow(choices[[kind]]) < nrow(rows), names(choices))
  lapply(changed, function(kind) {
    other <- answer(choices[[kind]], of, relative, columns)
    same <- Filter(function(c) c$first == clearest$first && c$second == clearest$second, other$pairs)
    p <- if (length(same)) other$p else NA
    list(kind = kind, values = nrow(choices[[kind]]), participants = length(sorted(choices[[kind]]$participant)), p = p,
         contrast = if (length(same)) same[[1]] else NA, turnsAnswer = !is.na(p) && (p <= 0.05) != (found$p <= 0.05))
  })
}
# One result for each outcome of the study.
outcomes <- function(values, told) {
  made <- lapply(told, function(o) {
    relative <- if (is.null(o$relativeTo)) NA else o$relativeTo
    visits <- values[values$rank == o$rank & values$measure == o$measure & values$outcome == o$of &
                       (if (is.na(relative)) is.na(values$relative_to) else values$relative_to %in% relative) &
                       (if (length(o$by)) values$by %in% paste(unlist(o$by), collapse = " ") else is.na(values$by)), ]
    previous <- match(paste(visits$run, visits$place - 1), paste(visits$run, visits$place))
    visits$before_condition <- visits$condition[previous]
    visits$before_clip <- visits$clip[previous]
    visits$before_level <- visits$level[previous]
    visits$before_second_level <- visits$second_level[previous]
    rows <- visits[flag(visits$included), ]
    rows <- rows[order(rows$run, rows$place, method = "radix"), ]
    own <- answer(rows, o$of, relative, unlist(o$by))
    c(own, list(values = nrow(rows), participants = length(sorted(rows$participant)), censored = sum(flag(rows$censored)), holmP = NA,
                exclusionCounts = counts(visits$why_not),
                sensitivity = if (o$rank == "primary" && !is.na(own$p)) sensitivity(rows, own, o$of, relative, unlist(o$by)) else list()))
  })
  for (rank in c("secondary", "exploratory")) {
    p <- sapply(seq_along(told), function(i) if (told[[i]]$rank == rank) made[[i]]$p else NA)
    if (sum(!is.na(p)) > 1) for (i in which(!is.na(p))) made[[i]]$holmP <- p.adjust(p, "holm")[i]
  }
  made
}

# ---- Clips, hearts and people

band <- function(tempo) ifelse(tempo < 80, "tempo below 80", ifelse(tempo < 120, "tempo 80 to 119", "tempo 120 and above"))
# Second by second: the mean over participants, each with the mean of their clips, and Student's interval.
course <- function(rows) unname(lapply(by_key(rows, rows$second), function(own) {
  x <- tapply(own$value, own$participant, mean)
  half <- if (length(x) > 1) qt(0.975, length(x) - 1) * sd(x) / sqrt(length(x)) else NA
  list(second = own$second[1], participants = length(x), mean = mean(x), low = mean(x) - half, high = mean(x) + half)
}))
ratings <- function(seconds, told) lapply(told, function(c) {
  rows <- seconds[seconds$rating %in% c$rating & seconds$clip == c$clip, ]
  list(clips = length(unique(rows$number)), course = course(rows))
})
# Each group of clips against the rest before them, by participant.
clips <- function(responses, seconds, told) lapply(told, function(g) {
  belonging <- function(rows) rows[rep_len(switch(
    g$kind, all = TRUE, mood = rows$mood == g$name, clip = rows$clip == g$name, tempo = band(rows$tempo) == g$name,
    slope = !is.na(rows$tempo)), nrow(rows)) %in% TRUE, ]
  rows <- belonging(responses)
  means <- function(rows, key) sapply(by_key(rows, rows$participant), function(own) mean(own[[key]]))
  if (g$kind == "slope") {  # each participant's line over tempo, for 10/min
    slopes <- sapply(by_key(rows, rows$participant), function(own) if (length(unique(own$tempo)) > 1) coef(lm(change ~ I(tempo / 10), own))[[2]] else NA)
    own <- c(paired(unname(slopes[!is.na(slopes)])), rmssd = NA)
  } else {
    own <- paired(unname(means(rows, "change")))
    own$course <- course(belonging(seconds[is.na(seconds$rating), ]))
    changed <- rows[!is.na(rows$rmssd_change), ]
    own$rmssd <- if (nrow(changed)) c(paired(unname(means(changed, "rmssd_change"))), clips = nrow(changed), ultraShort = sum(flag(changed$ultra_short))) else NA
  }
  c(own, list(clips = nrow(rows), power = next_study(own)))
})
# Clips, moods or bands of tempo against each other, by the mixed model.
compared_clips <- function(responses, told) lapply(told, function(c) {
  of <- function(prefix) switch(c$factor, clip = responses[[if (prefix == "") "clip" else "before"]], mood = responses[[paste0(prefix, "mood")]],
                                tempo = band(responses[[paste0(prefix, "tempo")]]))
  rows <- transform(responses, condition = of(""), before = of("before_"))
  rows$value <- rows[[if (c$measure == "heartRate") "change" else "rmssd_change"]]
  rows$rest <- rows[[if (c$measure == "heartRate") "baseline" else "rmssd_baseline"]]
  conditions(rows[!is.na(rows$condition) & !is.na(rows$value), ], c$factor)
})
# Fisher's mean of the correlations within each run, and how much it is above that with other runs.
together <- function(rows, told) lapply(told, function(h) {
  own <- rows[rows$kind == h$kind & rows$name == h$name, ]
  own$z <- atanh(pmax(-0.999999, pmin(own$r, 0.999999)))
  inside <- own[own$first_run == own$second_run, ]
  outside <- own[own$first_run != own$second_run, ]
  apart <- data.frame(run = c(outside$first_run, outside$second_run), z = c(outside$z, outside$z))
  means <- tapply(inside$z, inside$run <- inside$first_run, mean)
  n <- length(means)
  half <- if (n > 1) qt(0.975, n - 1) * sd(means) / sqrt(n) else NA
  differences <- if (nrow(apart)) as.vector(means - tapply(apart$z, factor(apart$run, names(means)), mean)) else c()
  differences <- differences[!is.na(differences)]
  list(runs = n, pairs = nrow(inside), r = tanh(mean(means)), low = tanh(mean(means) - half), high = tanh(mean(means) + half),
       pairsApart = nrow(outside), rApart = if (nrow(apart)) tanh(mean(apart$z)) else NA,
       p = if (length(differences) > 1) paired(differences)$p else NA)
})
characteristics <- function(rows, told) lapply(told, function(c) list(columns = lapply(seq_along(c$columns), function(i) {
  own <- rows[rows$question == c$question & (i == 1 | rows$arm %in% c$columns[[i]]$name), ]
  x <- own$number[!is.na(own$number)]
  if (!nrow(own)) return(list(values = NA))
  if (length(x)) return(list(values = list(count = length(x), mean = mean(x), deviation = if (length(x) > 1) sd(x) else NA, low = min(x), high = max(x))))
  chosen <- table(factor(own$choice, sorted(own$choice)))
  chosen <- chosen[order(-chosen)]
  list(values = list(count = length(unique(own$participant)), choices = lapply(names(chosen), function(n) list(name = n, count = chosen[[n]]))))
})))

# ---- All of it

study <- function(told, part) {
  of <- function(name) { rows <- table_of(paste0(name, ".csv")); rows[rows$part == part, ] }
  responses <- of("responses"); sessions <- of("sessions")
  included <- responses[is.na(responses$why_not), ]
  seconds <- of("seconds")
  list(participants = length(unique(sessions$participant)), sessions = nrow(sessions), clips = nrow(included), statuses = counts(sessions$status),
       origins = counts(sessions$origin), exclusionCounts = counts(responses$why_not), groups = clips(included, seconds, told$groups), ratings = ratings(seconds, told$ratings),
       contrasts = compared_clips(included, told$contrasts), outcomes = outcomes(of("values"), told$outcomes), outcomesKnown = told$outcomesKnown,
       together = together(of("hearts"), told$together), characteristics = characteristics(of("characteristics"), told$characteristics))
}
# Goes through everything that the program tells, and prints each figure beside this script's own.
compare <- function(told, own, path, drawn = 0) {
  reason <- not_reproduced[sapply(names(not_reproduced), grepl, path, perl = TRUE)]
  if (is.list(told)) {
    if (is.null(names(told)) && !length(reason) && is.list(own) && length(own) != length(told)) {
      differ <<- differ + 1
      report(path, length(told), length(own), FALSE)
    }
    flips <- if (identical(told$exact, FALSE)) told$flips else if (grepl("together\\[\\d+\\]$", path, perl = TRUE)) 99999 else 0
    for (i in seq_along(told)) {
      key <- if (is.null(names(told))) i else names(told)[i]
      step <- if (is.null(names(told))) sprintf("%s[%d]", path, i - 1L) else if (path == "") key else paste0(path, ".", key)
      compare(told[[i]], if (is.list(own) && (is.character(key) || key <= length(own))) own[[key]], step, if (key %in% c("p", "flipsP")) flips else 0)
    }
  } else if (is.numeric(told) || is.logical(told) || is.null(told) && !is.null(own) && !identical(own, NA)) {
    if (length(reason)) left <<- c(left, reason[[1]])
    else if (is.null(own)) { missed <<- missed + 1; report(path, told, own, FALSE) }
    else {
      tolerance <- if (drawn > 0 && !is.null(told)) 5 * sqrt(2 * told * (1 - told) / drawn) + 2 / drawn
        else max(rounding, if (grepl(is_fitted, path)) fitted_ else closed) * max(abs(c(told, as.numeric(own))))
      same <- !is.null(told) && !is.list(own) && !is.na(own) && abs(told - own) <= max(rounding, tolerance)
      if (same) equal <<- equal + 1 else differ <<- differ + 1
      report(path, told, own, same)
    }
  }
}
told <- fromJSON(file.path(folder, "analysis.json"), simplifyVector = FALSE)
set.seed(1)
cat(sprintf("%-76s %24s %24s\n", "figure", "the program", "this script"))
compare(told, list(studies = Map(study, told$studies, seq_along(told$studies))), "")
cat(equal, "figures: equal\n")
if (differ + missed) cat(differ, "figures: differ,", missed, "not compared\n")
for (reason in unique(left)) cat(sum(left == reason), "figures: not reproduced, because", reason, "\n")
quit(status = if (differ + missed) 1 else 0)
