package millrace.bench.turns;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private final Turns turns = new Turns("old", "new");

    @Test
    void theRatioIsTheMedianOfThePairsOfRounds() {
        turns.add(Map.of("p50, ms", 10.0), Map.of("p50, ms", 8.0));
        turns.add(Map.of("p50, ms", 20.0), Map.of("p50, ms", 18.0));
        turns.add(Map.of("p50, ms", 8.0), Map.of("p50, ms", 8.0));
        assertThat(turns.table())
                .containsExactly(
                        "| figure | old | new | new / old |",
                        "|---|---|---|---|",
                        "| p50, ms | 10.0, 20.0, 8.00 | 8.00, 18.0, 8.00 | 0.900 (0.800 to 1.00) |");
    }

    @Test
    void aFigureOfOneSideHasNoRatio() {
        turns.add(Map.of("before", 1.0), Map.of("after", 2.0));
        turns.add(Map.of("before", 3.0), Map.of("after", 4.0));
        assertThat(turns.table()).contains("| after |  | 2.00, 4.00 |  |").contains("| before | 1.00, 3.00 |  |  |");
    }

    @Test
    void aRoundWithoutAFigureIsLeftOut() {
        turns.add(Map.of("p50", 2.0), Map.of("p50", 1.0));
        turns.add(Map.of(), Map.of("p50", 7.0));
        turns.add(Map.of("p50", 0.0), Map.of("p50", 7.0));
        assertThat(turns.table()).contains("| p50 | 2.00, -, 0.00 | 1.00, 7.00, 7.00 | 0.500 (0.500 to 0.500) |");
    }

    @Test
    void whatIsTheSameInAllRoundsIsNoRow() {
        turns.add(Map.of("at …/s", 50.0, "rows", 889.0), Map.of("at …/s", 50.0, "rows", 889.0));
        assertThat(turns.table())
                .hasSize(4)
                .last()
                .asString()
                .contains("at 50.0/s")
                .contains("rows: 889");
    }
}
