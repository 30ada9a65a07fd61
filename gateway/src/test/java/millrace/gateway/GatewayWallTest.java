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
    void theRulesOfAccountsKeysAndRatesArePure() {
        noClasses()
                .that()
                .resideInAPackage("millrace.gateway.accounts.rules")
                .or()
                .haveNameMatching(
                        "millrace\\.gateway\\.access\\.(ApiKeys|Caller|HeardGateways|KeyUses|TokenBucket|.*Rate.*)")
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
                        "millrace.gateway.copy..",
                        "millrace.gateway.admission",
                        "millrace.gateway.api.datasets",
                        "millrace.gateway.api.documents")
                .and()
                .haveNameNotMatching(".*Routes.*")
                .or()
                .haveSimpleName("EventResender")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.micronaut.http..", "millrace.gateway.server..")
                .check(CLASSES);
    }

    @Test
    void copiesDoNotAppend() {
        noClasses()
                .that()
                .resideInAPackage("millrace.gateway.copy..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "millrace.gateway.admission", "millrace.gateway.api..", "org.apache.kafka.clients.producer..")
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
