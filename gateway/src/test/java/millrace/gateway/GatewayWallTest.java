package millrace.gateway;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class GatewayWallTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("millrace.gateway");

    @Test
    void admissionAndTheRulesOfAccountsArePure() {
        noClasses()
                .that()
                .resideInAnyPackage("millrace.gateway.admission", "millrace.gateway.accounts.rules")
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
                        "millrace.gateway.readmodel",
                        "millrace.gateway.webhooks.index",
                        "millrace.gateway.activity.store",
                        "millrace.gateway.activity.database",
                        "millrace.gateway.database",
                        "millrace.gateway.commands",
                        "millrace.gateway.kafka",
                        "millrace.gateway.documents",
                        "millrace.gateway.datasets",
                        "millrace.gateway.openapi")
                .and()
                .haveNameNotMatching(".*Routes.*")
                .or()
                .haveSimpleName("EventResender")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.micronaut.http..", "millrace.gateway.http..")
                .check(CLASSES);
    }

    @Test
    void theModelDoesNotAppend() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "millrace.gateway.readmodel",
                        "millrace.gateway.webhooks.index",
                        "millrace.gateway.activity.store")
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
