package millrace.gateway.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import millrace.gateway.admission.Admission.Standing;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdmissionTest {
    private static final UUID ID = new UUID(1, 2);

    @ParameterizedTest
    @CsvSource({
        // remaining, open, known, key taken, estimate, decision
        "10, 0, false, false, 10, Admitted",
        "10, 0, false, false, 11, NotEnoughCredits",
        "0,  0, false, false, 0,  Admitted",
        "0,  0, false, false, 1,  NotEnoughCredits",
        "10, 2, false, false, 1,  Admitted",
        "10, 3, false, false, 1,  TooManyOpen",
        "0,  3, false, false, 1,  TooManyOpen",
        // A repetition needs neither credits nor room.
        "0,  3, true,  false, 1,  Known",
        "0,  3, false, true,  1,  KeyTaken",
        "10, 0, false, true,  1,  KeyTaken",
    })
    void decides(long remaining, int open, boolean known, boolean keyTaken, long estimate, String decision) {
        Admission admission = Admission.decide(
                new Standing(remaining, open, known ? ID : null, keyTaken), new Reservation(ID, 1, estimate, null), 3);
        assertThat(admission.getClass().getSimpleName()).isEqualTo(decision);
    }

    @ParameterizedTest
    @CsvSource({
        // known, estimate, max_credits, decision
        "false, 10, 10, Admitted",
        "false, 11, 10, AboveLimit",
        "false, 99, 10, AboveLimit",
        // The data may be others by now.
        "true,  11, 10, Known",
    })
    void keepsTheLimitOfTheClient(boolean known, long estimate, long maxCredits, String decision) {
        Admission admission = Admission.decide(
                new Standing(50, 0, known ? ID : null, false), new Reservation(ID, 1, estimate, null, maxCredits), 3);
        assertThat(admission.getClass().getSimpleName()).isEqualTo(decision);
    }
}
