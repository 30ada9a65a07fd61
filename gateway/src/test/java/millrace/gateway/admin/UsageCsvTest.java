package millrace.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.YearMonth;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import millrace.gateway.admin.UsageCsv.Line;
import millrace.gateway.admin.UsageRoutes.Row;
import millrace.gateway.copy.activity.ActivityQueries.UsagePlace;
import org.junit.jupiter.api.Test;

class UsageCsvTest {
    private static final YearMonth OCTOBER = YearMonth.parse("2026-10");

    @Test
    void hasALineForEachMonthAccountAndDataset() throws IOException {
        var csv = new UsageCsv(
                OCTOBER,
                OCTOBER.plusMonths(1),
                (month, after, most) ->
                        Optional.of(List.of(line("acme", "Acme \"Data\", Ltd", month.getMonthValue()))));
        assertThat(text(csv).split("\r\n", -1))
                .containsExactly(
                        "month,account_id,name,dataset,credits,reports",
                        "2026-10,acme,\"Acme \"\"Data\"\", Ltd\",keywords,10,1",
                        "2026-11,acme,\"Acme \"\"Data\"\", Ltd\",keywords,11,1",
                        "");
    }

    /** Each page goes on after the last one; the last may be full. */
    @Test
    void readsPageAfterPage() throws IOException {
        List<Line> all = IntStream.range(0, 2000)
                .mapToObj(i -> line("account-" + (10_000 + i), "Name", i))
                .toList();
        var csv = new UsageCsv(
                OCTOBER,
                OCTOBER,
                (month, after, most) -> Optional.of(all.stream()
                        .filter(line ->
                                after == null || line.place().accountId().compareTo(after.accountId()) > 0)
                        .limit(most)
                        .toList()));
        assertThat(text(csv).lines().skip(1).map(line -> line.split(",", -1)[1]))
                .containsExactlyElementsOf(
                        all.stream().map(line -> line.place().accountId()).toList());
    }

    @Test
    void noCellIsAFormula() throws IOException {
        var csv = new UsageCsv(OCTOBER, OCTOBER, (month, after, most) -> Optional.of(List.of(line("acme", "=1+1", 1))));
        assertThat(text(csv)).contains(",'=1+1,");
    }

    @Test
    void whatIsCutOffEndsInAnError() {
        var csv = new UsageCsv(OCTOBER, OCTOBER, (month, after, most) -> Optional.empty());
        assertThatThrownBy(() -> text(csv)).isInstanceOf(IOException.class).hasMessageContaining("activity store");
    }

    private static Line line(String account, String name, long credits) {
        return new Line(new UsagePlace(account, "keywords"), new Row(account, name, "keywords", credits, 1));
    }

    private static String text(UsageCsv csv) throws IOException {
        return new String(csv.readAllBytes(), StandardCharsets.UTF_8);
    }
}
