package millrace.processor.loading;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Loading is a process of its own: it shares the files with the service, and nothing else. */
class LoadingWallTest {
    private static final JavaClasses PROCESSOR = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("millrace.processor");

    @Test
    void knowsTheWarehouseAlone() {
        noClasses()
                .that()
                .resideInAPackage("millrace.processor.loading")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "millrace.processor",
                        "millrace.processor.account..",
                        "millrace.processor.rendering..",
                        "org.apache.kafka..")
                .check(PROCESSOR);
    }

    @Test
    void isNotKnownToTheService() {
        noClasses()
                .that()
                .resideOutsideOfPackage("millrace.processor.loading")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("millrace.processor.loading")
                .check(PROCESSOR);
    }
}
