package millrace.catalog;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;

/** The catalog is pure: what it answers follows from its arguments alone. */
class CatalogWallTest {
    private static final JavaClasses CATALOG = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("millrace.catalog");

    @Test
    void noFrameworkAndNoIo() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                                "io.micronaut..",
                                "org.apache.kafka..",
                                "java.net..",
                                "java.net.http..",
                                "java.sql..",
                                "javax.sql..",
                                "java.util.random..")
                        // A URI is a value; nothing is opened.
                        .and(not(nameMatching("java\\.net\\.(IDN|URI(SyntaxException)?)"))))
                .check(CATALOG);
    }

    @Test
    void noClockAndNoRandom() {
        noClasses()
                .should()
                .dependOnClassesThat(nameMatching(
                        "java\\.time\\.(Clock|InstantSource|Instant)|java\\.util\\.Random|java\\.security\\.SecureRandom"
                                + "|java\\.util\\.concurrent\\.ThreadLocalRandom"))
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(LocalDate.class, "now")
                .orShould()
                .callMethod(LocalDateTime.class, "now")
                .check(CATALOG);
    }
}
