package millrace.client.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The commands of clients know nothing of the services: what they need is in one small jar. */
class ClientWallTest {
    @Test
    void needsFewLibraries() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "javax..",
                        "millrace.client..",
                        "io.millrace.client",
                        "millrace.runtime.cli",
                        "millrace.control",
                        "picocli..",
                        "com.fasterxml.jackson..",
                        "de.siegmar.fastcsv..",
                        "org.jspecify..")
                .check(new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("millrace.client.cli"));
    }
}
