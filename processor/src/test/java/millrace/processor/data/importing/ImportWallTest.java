package millrace.processor.data.importing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** An import is a separate process that shares only files with the service. */
class ImportWallTest {
    private static final JavaClasses PROCESSOR = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("millrace.processor");

    @Test
    void knowsTheWarehouseAlone() {
        noClasses()
                .that()
                .resideInAPackage("millrace.processor.data.importing..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "millrace.processor.bootstrap..",
                        "millrace.processor.ledger..",
                        "millrace.processor.rendering..",
                        "org.apache.kafka..")
                .check(PROCESSOR);
    }

    @Test
    void isNotKnownToTheService() {
        noClasses()
                .that()
                .resideOutsideOfPackage("millrace.processor.data.importing..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("millrace.processor.data.importing..")
                .check(PROCESSOR);
    }
}
