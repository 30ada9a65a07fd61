package millrace.gateway.api.credits;

import io.micronaut.http.HttpRequest;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import millrace.gateway.copy.activity.KeptDays;
import millrace.gateway.server.QueryParameters;

/** Days in UTC, both of them included. */
record DayRange(LocalDate from, LocalDate to) {
    private static final int USUAL = 30;

    /** Parses {@code from} and {@code to}; adds a sentence for each that is wrong. The last 30 days where they are missing. */
    static DayRange of(HttpRequest<?> http, Instant now, List<String> errors) {
        LocalDate today = KeptDays.date(KeptDays.day(now));
        LocalDate to = day(http, "to", errors).orElse(today);
        LocalDate from = day(http, "from", errors).orElse(to.minusDays(USUAL - 1));
        if (to.isBefore(from)) {
            errors.add("to: must not be before from.");
        } else if (ChronoUnit.DAYS.between(from, to) >= KeptDays.LEDGER) {
            errors.add("from: must be at most " + KeptDays.LEDGER + " days before the end of to.");
        }
        return new DayRange(from, to);
    }

    private static Optional<LocalDate> day(HttpRequest<?> http, String name, List<String> errors) {
        String text = http.getParameters().get(name);
        if (text == null) {
            return Optional.empty();
        }
        Optional<LocalDate> day = QueryParameters.day(text);
        if (day.isEmpty()) {
            errors.add(name + ": must be a day like 2026-11-02.");
        }
        return day;
    }

    /** Without the days before this one. */
    DayRange notBefore(int day) {
        LocalDate first = KeptDays.date(day);
        return from.isBefore(first) && !to.isBefore(first) ? new DayRange(first, to) : this;
    }

    int firstDay() {
        return Math.toIntExact(from.toEpochDay());
    }

    int lastDay() {
        return Math.toIntExact(to.toEpochDay());
    }
}
