package millrace.gateway;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class WallsTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("millrace.gateway");

    @Test
    void admissionIsPure() {
        noClasses()
                .that()
                .resideInAPackage("millrace.gateway.admission")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.micronaut..", "org.apache.kafka..", "java.nio.file..", "java.net..", "java.io..")
                .check(CLASSES);
    }

    @Test
    void onlyRoutesKnowHttp() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "millrace.gateway.model",
                        "millrace.gateway.webhooks",
                        "millrace.gateway.commands",
                        "millrace.gateway.openapi")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.micronaut.http..", "millrace.gateway.http..")
                .check(CLASSES);
    }

    @Test
    void theModelDoesNotAppend() {
        noClasses()
                .that()
                .resideInAnyPackage("millrace.gateway.model", "millrace.gateway.webhooks")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("millrace.gateway.commands", "org.apache.kafka.clients.producer..")
                .check(CLASSES);
    }

    @Test
    void servicesDoNotImportEachOther() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("millrace.processor..", "millrace.notifier..", "millrace.standalone..")
                .check(CLASSES);
    }
}
