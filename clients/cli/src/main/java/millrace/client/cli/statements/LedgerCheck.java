package millrace.client.cli.statements;

import com.fasterxml.jackson.databind.JsonNode;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import millrace.client.cli.output.Json;
import millrace.client.cli.session.ExitCodes;
import millrace.runtime.cli.CliException;
import org.jspecify.annotations.Nullable;

/** Checks the entries of an account's ledger, one after the other. What does not fit is thrown, the first of it. */
final class LedgerCheck {
    private static final HexFormat HEX = HexFormat.of();

    private final Deque<JsonNode> statements;
    private final ReportFacts.Source reports;
    private final long first;
    private Balance balance;
    private long last;
    private @Nullable Month month;
    /** What is still reserved, by report. Of reports from before the first entry it is not known. */
    private final Map<String, Long> reserved = new HashMap<>();

    private long stated;
    private long priced;
    private long unpriced;

    /** @param statements whose signatures are right, the oldest first; at least one */
    LedgerCheck(List<JsonNode> statements, ReportFacts.Source reports) throws CliException {
        this.statements = new ArrayDeque<>(statements);
        this.reports = reports;
        JsonNode oldest = statements.getFirst();
        first = oldest.path("first_sequence").asLong();
        last = first - 1;
        balance = Balance.of(oldest.path("opening"));
        chain(statements);
    }

    long first() {
        return first;
    }

    long entries() {
        return last - first + 1;
    }

    /** Entries that are in a statement. */
    long stated() {
        return stated;
    }

    /** Reports whose price was computed. */
    long priced() {
        return priced;
    }

    long unpriced() {
        return unpriced;
    }

    private static void chain(List<JsonNode> statements) throws CliException {
        JsonNode before = null;
        for (JsonNode statement : statements) {
            long begin = statement.path("first_sequence").asLong();
            if (before != null) {
                long end = before.path("last_sequence").asLong();
                boolean follows = begin > end + 1 // those between were left out
                        || (begin == end + 1
                                && before.path("closing").equals(statement.path("opening"))
                                && Json.text(statement, "previous")
                                        .equals(HEX.formatHex(sha256().digest(Json.canonical(before)))));
                if (!follows) {
                    throw misfit("the statement of " + Json.text(statement, "month") + " does not follow that of "
                            + Json.text(before, "month"));
                }
            }
            before = statement;
        }
    }

    /** @param dataset of the report as the service tells it, or null */
    void entry(JsonNode entry, @Nullable String dataset) throws CliException, InterruptedException {
        long sequence = entry.path("sequence").asLong();
        String name = "entry " + sequence + " (" + Json.text(entry, "entry_id") + ")";
        if (sequence != last + 1) {
            throw misfit(
                    sequence > last + 1
                            ? "entry " + (last + 1) + " is missing: " + name + " comes in its place"
                            : name + " comes after entry " + last);
        }
        last = sequence;
        String kind = Json.text(entry, "kind");
        long amount = entry.path("amount").asLong(-1);
        balance = balance.moved(kind, amount);
        if (amount < 0 || !balance.equals(Balance.of(entry))) {
            throw misfit(name + ": its kind and amount lead from the balance before it to " + balance.words()
                    + "; it says " + Balance.of(entry).words());
        }
        String report = Json.text(entry, "report_id");
        ReportFacts facts = null;
        if (!report.isEmpty()) {
            facts = ofReport(entry, name, report, kind, amount);
        }
        inMonth(entry, name, kind, amount, facts, facts == null ? dataset : facts.dataset());
    }

    private @Nullable ReportFacts ofReport(JsonNode entry, String name, String report, String kind, long amount)
            throws CliException, InterruptedException {
        String id = Json.text(entry, "entry_id");
        if (!id.startsWith(report + ".") || !id.endsWith("." + kind)) {
            throw misfit(name + ": its id is not that of a " + kind + " of report " + report);
        }
        Long held = reserved.get(report);
        if (kind.equals("reservation")) {
            if (held != null) {
                throw misfit(name + ": " + held + " credits are reserved for its report already");
            }
            if (amount > 0) {
                reserved.put(report, amount);
            }
            return null;
        }
        if (held == null ? first == 1 && amount > 0 : amount > held) {
            throw misfit(name + ": it takes " + amount + " credits, and " + (held == null ? 0 : held)
                    + " are reserved for its report");
        }
        if (held != null && amount < held) {
            reserved.put(report, held - amount);
        } else {
            reserved.remove(report);
        }
        if (!kind.equals("settlement")) {
            return null;
        }
        ReportFacts facts = reports.of(report);
        Long price = facts == null ? null : facts.price();
        if (facts == null || price == null) {
            unpriced++;
        } else {
            priced++;
            long charged = Math.min(price, held == null ? Long.MAX_VALUE : held);
            if (amount != charged) {
                throw misfit(name + ": it charges " + amount + " credits, and its report costs " + charged + " ("
                        + facts.rule() + ")");
            }
        }
        return facts;
    }

    /** The entry within the statement of its month, if there is one. */
    private void inMonth(
            JsonNode entry,
            String name,
            String kind,
            long amount,
            @Nullable ReportFacts facts,
            @Nullable String dataset)
            throws CliException {
        Month open = month;
        JsonNode next = statements.peek();
        if (open == null && next != null && next.path("first_sequence").asLong() == last) {
            open = new Month(statements.remove(), last - 1);
            month = open;
        }
        if (open == null) {
            return;
        }
        stated++;
        open.add(entry, name, last);
        open.sums.add("by_kind", kind, amount);
        if (kind.equals("settlement")) {
            open.sums.settled(amount, facts, dataset);
        }
        if (last == open.statement.path("last_sequence").asLong()) {
            open.close(balance, last);
            month = null;
        }
    }

    /** After the last entry. */
    void end() throws CliException {
        JsonNode missing = month == null ? statements.peek() : month.statement;
        if (missing != null) {
            throw misfit("entry " + (last + 1) + " is missing: the entries end before it, and the statement of "
                    + Json.text(missing, "month") + " goes to entry "
                    + missing.path("last_sequence").asLong());
        }
    }

    private static CliException misfit(String sentence) {
        return new CliException(ExitCodes.ALTERED, sentence);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private record Balance(long granted, long remaining, long reserved, long used) {
        static Balance of(JsonNode json) {
            return new Balance(
                    json.path("granted").asLong(),
                    json.path("remaining").asLong(),
                    json.path("reserved").asLong(),
                    json.path("used").asLong());
        }

        Balance moved(String kind, long amount) throws CliException {
            return switch (kind) {
                case "opening" -> this;
                case "grant" -> new Balance(granted + amount, remaining + amount, reserved, used);
                case "reservation" -> new Balance(granted, remaining - amount, reserved + amount, used);
                case "settlement" -> new Balance(granted, remaining, reserved - amount, used + amount);
                case "release" -> new Balance(granted, remaining + amount, reserved - amount, used);
                case "expiry" -> new Balance(granted - amount, remaining - amount, reserved, used);
                default ->
                    throw new CliException(ExitCodes.USAGE, "this program does not know entries of the kind " + kind);
            };
        }

        String words() {
            return "granted " + granted + ", remaining " + remaining + ", reserved " + reserved + ", used " + used;
        }
    }

    /** The entries of a statement so far. */
    private static final class Month {
        private final JsonNode statement;
        private final String name;
        private final MessageDigest digest = sha256();
        private final JsonNode marks;
        private final long every;
        private final Sums sums = new Sums();
        private long count;
        /** Up to which the entries are those of the statement. */
        private long right;

        Month(JsonNode statement, long before) {
            this.statement = statement;
            this.name = "the statement of " + Json.text(statement, "month");
            this.marks = statement.path("marks").path("sha256");
            this.every = Math.max(1, statement.path("marks").path("every").asLong());
            this.right = before;
        }

        void add(JsonNode entry, String entryName, long sequence) throws CliException {
            digest.update(Json.canonical(entry));
            digest.update((byte) '\n');
            count++;
            if (count % every != 0) {
                return;
            }
            String mark = marks.path(Math.toIntExact(count / every) - 1).asText();
            if (!mark.isEmpty() && !HEX.formatHex(copy()).startsWith(mark)) {
                throw other(entryName, sequence);
            }
            right = sequence;
        }

        private byte[] copy() {
            try {
                return ((MessageDigest) digest.clone()).digest();
            } catch (CloneNotSupportedException e) {
                throw new IllegalStateException("SHA-256 of this Java cannot be copied", e);
            }
        }

        private CliException other(String entryName, long sequence) {
            return misfit(
                    sequence == right + 1
                            ? entryName + " is not what it was when " + name + " was made"
                            : "one of the entries " + (right + 1) + " to " + sequence + " is not what it was when "
                                    + name + " was made");
        }

        void close(Balance closing, long sequence) throws CliException {
            if (!HEX.formatHex(digest.digest()).equals(Json.text(statement, "entries_sha256"))) {
                throw right == sequence
                        ? misfit("the entries are not those of " + name)
                        : other("entry " + sequence, sequence);
            }
            if (count != statement.path("entries").asLong() || !closing.equals(Balance.of(statement.path("closing")))) {
                throw misfit(name + " has another number of entries or another closing balance than its entries give");
            }
            sums.compare(statement, name);
        }
    }

    /** Sums of a month, each a count and credits, by section of the statement and name. */
    private static final class Sums {
        private final Map<String, Map<String, List<Long>>> sections = new TreeMap<>();
        private boolean datasets = true;
        private boolean tags = true;

        void add(String section, String name, long amount) {
            sections.computeIfAbsent(section, s -> new TreeMap<>())
                    .merge(
                            name,
                            List.of(1L, amount),
                            (a, b) -> List.of(a.getFirst() + b.getFirst(), a.getLast() + b.getLast()));
        }

        void settled(long amount, @Nullable ReportFacts facts, @Nullable String dataset) {
            if (dataset == null || dataset.isEmpty()) {
                datasets = false;
            } else {
                add("by_dataset", dataset, amount);
            }
            if (facts == null) {
                tags = false;
            } else {
                facts.tags()
                        .properties()
                        .forEach(tag -> add(
                                "by_tag", tag.getKey() + "=" + tag.getValue().asText(), amount));
            }
        }

        /** Datasets and tags only if those of all reports are known. */
        void compare(JsonNode statement, String name) throws CliException {
            compare(statement, "by_kind", "entries", row -> Json.text(row, "kind"), true, name);
            if (datasets) {
                compare(statement, "by_dataset", "reports", row -> Json.text(row, "dataset"), true, name);
            }
            if (tags) {
                boolean all = statement.path("tags_left_out").asLong() == 0;
                compare(
                        statement,
                        "by_tag",
                        "reports",
                        row -> Json.text(row, "tag") + "=" + Json.text(row, "value"),
                        all,
                        name);
            }
        }

        private void compare(
                JsonNode statement,
                String section,
                String count,
                Function<JsonNode, String> key,
                boolean all,
                String name)
                throws CliException {
            Map<String, List<Long>> said = new TreeMap<>();
            for (JsonNode row : statement.path(section)) {
                said.put(
                        key.apply(row),
                        List.of(row.path(count).asLong(), row.path("credits").asLong()));
            }
            Map<String, List<Long>> counted = new TreeMap<>(sections.getOrDefault(section, Map.of()));
            if (said.containsKey("")) {
                return; // of reports that were forgotten already
            }
            if (!all) {
                counted.keySet().retainAll(said.keySet());
            }
            if (!said.equals(counted)) {
                throw misfit(name + " has other sums in " + section + " than its entries give");
            }
        }
    }
}
