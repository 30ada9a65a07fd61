package millrace.gateway.statements;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.MessageDigest;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import millrace.contracts.CanonicalJson;
import millrace.contracts.Hashes;
import millrace.contracts.Json;
import millrace.contracts.accounts.LedgerEntry;
import millrace.gateway.copy.activity.ActivityQueries.BookedEntry;
import millrace.gateway.copy.activity.ReportGroups;
import millrace.gateway.copy.activity.UsedCredits;
import org.jspecify.annotations.Nullable;

/** Adds up the entries of a month, in their order, and makes its statement. {@code docs/reference/statements.md} defines it. */
final class StatementSums {
    static final String TYPE = "millrace.statement.v1";

    /** The tags with the most credits; an account may have ten thousand. */
    private static final int MOST_TAGS = 500;

    private static final int MOST_MARKS = 1_000;
    private static final int TEN = 10;
    private static final int MARK_BYTES = 4;

    private final String accountId;
    private final YearMonth month;
    private final MessageDigest digest = Hashes.sha256();
    private final Map<LedgerEntry.Kind, UsedCredits> kinds = new TreeMap<>();
    private final Map<String, UsedCredits> datasets = new TreeMap<>();
    private final Map<Tag, UsedCredits> tags =
            new TreeMap<>(Comparator.comparing(Tag::name).thenComparing(Tag::value));
    /** The beginning of the hash so far, after every so many entries. */
    private final List<String> marks = new ArrayList<>();

    private long marksEvery = 1;
    private long entries;
    private @Nullable LedgerEntry first;
    private @Nullable LedgerEntry last;

    private record Tag(String name, String value) {}

    StatementSums(String accountId, YearMonth month) {
        this.accountId = accountId;
        this.month = month;
    }

    void add(BookedEntry booked) {
        LedgerEntry entry = booked.entry();
        first = first == null ? entry : first;
        last = entry;
        entries++;
        digest.update(CanonicalJson.bytes(booked.json()));
        digest.update((byte) '\n');
        if (entries % marksEvery == 0) {
            mark();
        }
        var one = new UsedCredits(entry.amount(), 1);
        kinds.merge(entry.kind(), one, UsedCredits::plus);
        if (entry.kind() == LedgerEntry.Kind.SETTLEMENT) {
            ReportGroups groups = booked.groups();
            datasets.merge(groups == null ? "" : groups.dataset(), one, UsedCredits::plus);
            if (groups != null) {
                groups.tags().forEach((name, value) -> tags.merge(new Tag(name, value), one, UsedCredits::plus));
            }
        }
    }

    private void mark() {
        try {
            marks.add(HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest(), 0, MARK_BYTES));
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("SHA-256 of this Java cannot be copied", e);
        }
        if (marks.size() == MOST_MARKS) {
            List<String> kept = new ArrayList<>();
            for (int i = TEN - 1; i < MOST_MARKS; i += TEN) {
                kept.add(marks.get(i));
            }
            marks.clear();
            marks.addAll(kept);
            marksEvery *= TEN;
        }
    }

    /**
     * The statement; there is at least one entry.
     *
     * @param before the statement before, or null
     */
    ObjectNode statement(@Nullable JsonNode before) {
        if (first == null || last == null) {
            throw new IllegalStateException("no entries");
        }
        ObjectNode statement = Json.MAPPER.createObjectNode();
        statement
                .put("type", TYPE)
                .put("account_id", accountId)
                .put("month", month.toString())
                .put("first_sequence", first.sequence())
                .put("last_sequence", last.sequence())
                .put("entries", entries)
                .put("entries_sha256", HexFormat.of().formatHex(digest.digest()));
        statement.set("opening", opening(first));
        statement.set("closing", balance(last.granted(), last.remaining(), last.reserved(), last.used()));
        ArrayNode byKind = statement.putArray("by_kind");
        kinds.forEach((kind, sum) -> byKind.addObject()
                .put("kind", Json.MAPPER.convertValue(kind, String.class))
                .put("entries", sum.reports())
                .put("credits", sum.credits()));
        ArrayNode byDataset = statement.putArray("by_dataset");
        datasets.forEach((dataset, used) -> {
            ObjectNode row = byDataset.addObject();
            used(dataset.isEmpty() ? row : row.put("dataset", dataset), used);
        });
        ArrayNode byTag = statement.putArray("by_tag");
        tags.entrySet().stream()
                .sorted(Comparator.comparingLong(tag -> -tag.getValue().credits()))
                .limit(MOST_TAGS)
                .forEach(tag -> used(
                        byTag.addObject()
                                .put("tag", tag.getKey().name())
                                .put("value", tag.getKey().value()),
                        tag.getValue()));
        statement.put("tags_left_out", Math.max(0, tags.size() - MOST_TAGS));
        ArrayNode shown = statement.putObject("marks").put("every", marksEvery).putArray("sha256");
        marks.forEach(shown::add);
        if (before != null) {
            statement.put("previous", Hashes.sha256(CanonicalJson.bytes(before)));
        }
        return statement;
    }

    private static void used(ObjectNode row, UsedCredits used) {
        row.put("reports", used.reports()).put("credits", used.credits());
    }

    /** The balance before the entry. */
    private static ObjectNode opening(LedgerEntry e) {
        long amount = e.amount();
        return switch (e.kind()) {
            case OPENING -> balance(e.granted(), e.remaining(), e.reserved(), e.used());
            case GRANT -> balance(e.granted() - amount, e.remaining() - amount, e.reserved(), e.used());
            case EXPIRY -> balance(e.granted() + amount, e.remaining() + amount, e.reserved(), e.used());
            case RESERVATION -> balance(e.granted(), e.remaining() + amount, e.reserved() - amount, e.used());
            case RELEASE -> balance(e.granted(), e.remaining() - amount, e.reserved() + amount, e.used());
            case SETTLEMENT -> balance(e.granted(), e.remaining(), e.reserved() + amount, e.used() - amount);
        };
    }

    private static ObjectNode balance(long granted, long remaining, long reserved, long used) {
        return Json.MAPPER
                .createObjectNode()
                .put("granted", granted)
                .put("remaining", remaining)
                .put("reserved", reserved)
                .put("used", used);
    }
}
