package millrace.processor.data.importing;

import millrace.catalog.text.Text;
import millrace.processor.data.importing.Inventory.VersionSummary;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Formats versions as a table with a line for each granularity. */
record InventoryTable(List<VersionSummary> versions) {
    private static final List<String> HEADER =
            List.of("", "dataset@version", "rows", "size", "granularity", "periods", "countries");
    private static final int COUNTRIES = 8;
    private static final int KIB = 1024;

    String text() {
        List<List<String>> lines = new ArrayList<>();
        lines.add(HEADER);
        versions.forEach(v -> lines.addAll(lines(v)));
        return TextTable.text(lines, Set.of(2, 3));
    }

    private static List<List<String>> lines(VersionSummary facts) {
        String name = facts.dataset() + "@" + facts.version();
        String mark = facts.current() ? "*" : "";
        if (facts.problem() != null) {
            return List.of(List.of(mark, name, "", size(facts.bytes()), "cannot be read: " + facts.problem(), "", ""));
        }
        if (facts.periods().isEmpty()) {
            return List.of(List.of(mark, name, "0", size(facts.bytes()), "", "", ""));
        }
        List<List<String>> lines = new ArrayList<>();
        for (VersionSummary.Periods p : facts.periods()) {
            boolean first = lines.isEmpty();
            lines.add(List.of(
                    first ? mark : "",
                    first ? name : "",
                    Text.number(p.rows()),
                    first ? size(facts.bytes()) : "",
                    p.granularity(),
                    Text.number(p.count()) + ", " + p.first() + " to " + p.last(),
                    first ? countries(facts.countries()) : ""));
        }
        return lines;
    }

    private static String countries(List<String> countries) {
        String shown = String.join(" ", countries.subList(0, Math.min(COUNTRIES, countries.size())));
        return countries.size() > COUNTRIES ? shown + " and " + (countries.size() - COUNTRIES) + " more" : shown;
    }

    private static String size(long bytes) {
        double amount = bytes;
        String unit = "B";
        for (String next : List.of("KB", "MB", "GB", "TB")) {
            if (amount < KIB) {
                break;
            }
            amount /= KIB;
            unit = next;
        }
        return String.format(Locale.ROOT, amount < 10 && !unit.equals("B") ? "%.1f %s" : "%.0f %s", amount, unit);
    }
}
