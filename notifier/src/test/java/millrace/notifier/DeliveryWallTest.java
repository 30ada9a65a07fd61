package millrace.notifier;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The packages that decide about events depend on no clock, random numbers, framework or I/O. */
class DeliveryWallTest {
    private static final com.tngtech.archunit.core.domain.JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("millrace.notifier");

    @Test
    void deliveryIsPure() {
        classes()
                .that()
                .resideInAPackage("millrace.notifier.endpoint..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java.lang..",
                        "java.util",
                        "java.util.function",
                        "java.util.stream",
                        "java.time",
                        "millrace.contracts..",
                        "millrace.notifier.endpoint..",
                        "org.jspecify..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("millrace.notifier.endpoint..")
                .should()
                .dependOnClassesThat()
                .haveNameMatching(
                        "java\\.util\\.Random|java\\.time\\.(Clock|InstantSource)|java\\.lang\\.(Thread|Process).*"
                                + "|millrace\\.contracts\\..*(Topic|Topics|Json|CloudEvent)")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("millrace.notifier.endpoint..")
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(java.util.UUID.class, "randomUUID")
                .check(CLASSES);
    }

    @Test
    void servicesDoNotImportEachOther() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("millrace.gateway..", "millrace.processor..", "millrace.standalone..")
                .check(CLASSES);
    }
}
