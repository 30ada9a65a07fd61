package millrace.processor.ledger.decide;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The packages that decide about accounts are pure, so that decisions are the same everywhere. */
class AccountWallTest {
    private static final JavaClasses LEDGER = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("millrace.processor.ledger.decide");

    @Test
    void knowsOnlyTheLanguageAndTheMessages() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages(
                        "java.lang..",
                        "java.util",
                        "java.util.function",
                        "java.util.stream",
                        "java.time",
                        "millrace.contracts..",
                        "millrace.processor.ledger.decide..",
                        "org.jspecify.annotations")
                .check(LEDGER);
    }

    @Test
    void knowsNoClockAndNoChance() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .areAssignableTo(Clock.class)
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(java.util.UUID.class, "randomUUID")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(java.util.Random.class)
                .check(LEDGER);
    }
}
