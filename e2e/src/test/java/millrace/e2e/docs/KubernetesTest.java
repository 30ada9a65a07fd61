package millrace.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HTTPGetAction;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.e2e.process.LeftOut;
import millrace.e2e.process.ProcessResult;
import millrace.files.StorageSettings;
import millrace.gateway.settings.GatewaySettings;
import millrace.notifier.NotifierSettings;
import millrace.processor.bootstrap.ProcessorSettings;
import millrace.runtime.service.ServiceMain;
import millrace.runtime.settings.Settings;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The manifests for Kubernetes, rendered by kubectl, are objects of its API and fit each other and the services. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KubernetesTest {
    private static final Map<String, Class<?>> TYPES = Map.of(
            "Namespace", Namespace.class,
            "ConfigMap", ConfigMap.class,
            "Service", Service.class,
            "PersistentVolumeClaim", PersistentVolumeClaim.class,
            "StatefulSet", StatefulSet.class,
            "Deployment", Deployment.class,
            "PodDisruptionBudget", PodDisruptionBudget.class,
            "NetworkPolicy", NetworkPolicy.class,
            "HorizontalPodAutoscaler", HorizontalPodAutoscaler.class);
    /** Of others, which have no types here. */
    private static final Set<String> CUSTOM = Set.of("Kafka", "KafkaNodePool", "PodMonitor");

    private static final Map<String, Map<String, Class<?>>> SECTIONS = Map.of(
            "gateway", Map.of("gateway", GatewaySettings.class, "storage", StorageSettings.class),
            "processor", Map.of("processor", ProcessorSettings.class, "storage", StorageSettings.class),
            "notifier", Map.of("notifier", NotifierSettings.class));
    /** What a service gets; a change of it is worth a look. */
    private static final Map<String, Set<String>> SECRETS = Map.of(
            "gateway", Set.of("millrace-links", "millrace-storage", "millrace-accounts", "millrace-admin"),
            "processor", Set.of("millrace-links", "millrace-storage"),
            "notifier", Set.of("millrace-accounts"));
    /** Seconds that the longest stop of a service takes: that of a gateway which drains before it closes. */
    private static final long STOP = 45;

    private final List<Object> objects = new ArrayList<>();
    private final Map<String, PodTemplateSpec> pods = new LinkedHashMap<>();

    @BeforeAll
    void render() throws Exception {
        ProcessResult rendered;
        try {
            String overlay = Path.of("../docker/kubernetes/overlays/strimzi").toString();
            rendered = ProcessResult.run(List.of("kubectl", "kustomize", overlay), Map.of());
        } catch (IOException e) {
            LeftOut.say("kubernetes", "The manifests for Kubernetes were not checked: kubectl is not on PATH.");
            Assumptions.abort("no kubectl");
            return;
        }
        assertThat(rendered.code()).as("%s", rendered).isZero();
        JsonMapper mapper = strict();
        try (var documents = new YAMLMapper().readerFor(JsonNode.class).<JsonNode>readValues(rendered.out())) {
            while (documents.hasNext()) {
                JsonNode document = documents.next();
                String kind = document.path("kind").asText();
                if (!CUSTOM.contains(kind)) {
                    assertThat(TYPES).as("%s", document).containsKey(kind);
                    objects.add(mapper.treeToValue(document, TYPES.get(kind)));
                }
            }
        }
        all(StatefulSet.class)
                .forEach(set ->
                        pods.put(set.getMetadata().getName(), set.getSpec().getTemplate()));
        all(Deployment.class)
                .forEach(set ->
                        pods.put(set.getMetadata().getName(), set.getSpec().getTemplate()));
        assertThat(pods).containsOnlyKeys(SECTIONS.keySet());
    }

    /** The types have a place for what they do not know; here that is a mistake. */
    private static JsonMapper strict() {
        return JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .annotationIntrospector(new JacksonAnnotationIntrospector() {
                    @Override
                    public Boolean hasAnySetter(Annotated annotated) {
                        return false;
                    }

                    @Override
                    public boolean hasIgnoreMarker(AnnotatedMember member) {
                        return member.getName().contains("dditionalProperties") || super.hasIgnoreMarker(member);
                    }
                })
                .build();
    }

    private <T> List<T> all(Class<T> type) {
        return objects.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private static Container container(PodTemplateSpec pod) {
        assertThat(pod.getSpec().getContainers()).hasSize(1);
        return pod.getSpec().getContainers().getFirst();
    }

    @Test
    void noContainerIsRootOrWritesOutsideItsVolumes() {
        pods.forEach((service, pod) -> {
            var security = pod.getSpec().getSecurityContext();
            assertThat(security.getRunAsNonRoot()).as(service).isTrue();
            assertThat(security.getRunAsUser()).as(service).isEqualTo(10_001);
            assertThat(pod.getSpec().getAutomountServiceAccountToken())
                    .as(service)
                    .isFalse();
            var own = container(pod).getSecurityContext();
            assertThat(own.getReadOnlyRootFilesystem()).as(service).isTrue();
            assertThat(own.getAllowPrivilegeEscalation()).as(service).isFalse();
            assertThat(own.getCapabilities().getDrop()).as(service).containsExactly("ALL");
        });
    }

    @Test
    void eachServiceSeesItsOwnSecretsAlone() {
        pods.forEach((service, pod) -> {
            Set<String> seen = pod.getSpec().getVolumes().stream()
                    .filter(volume -> volume.getProjected() != null)
                    .flatMap(volume -> volume.getProjected().getSources().stream())
                    .map(VolumeProjection::getSecret)
                    .map(secret -> secret.getName())
                    .collect(Collectors.toSet());
            assertThat(seen).as(service).isEqualTo(SECRETS.get(service));
            assertThat(pod.getSpec().getVolumes()).as(service).allMatch(volume -> volume.getSecret() == null);
        });
    }

    /** A variable that a service does not know ends its start. */
    @Test
    void eachVariableIsASetting() {
        Map<String, Set<String>> maps = new HashMap<>();
        all(ConfigMap.class)
                .forEach(map ->
                        maps.put(map.getMetadata().getName(), map.getData().keySet()));
        pods.forEach((service, pod) -> {
            Container container = container(pod);
            Set<String> given = container.getEnv().stream()
                    .map(variable -> variable.getName())
                    .collect(Collectors.toCollection(TreeSet::new));
            container
                    .getEnvFrom()
                    .forEach(
                            from -> given.addAll(maps.get(from.getConfigMapRef().getName())));
            Set<String> known =
                    Settings.declared(ServiceMain.withCommon(new LinkedHashMap<>(SECTIONS.get(service)))).stream()
                            .map(setting -> "MILLRACE_"
                                    + setting.name()
                                            .toUpperCase(Locale.ROOT)
                                            .replace('.', '_')
                                            .replace('-', '_'))
                            .flatMap(variable -> Stream.of(variable, variable + "_FILE"))
                            .collect(Collectors.toSet());
            assertThat(known).as(service).containsAll(given);
            assertThat(given).as(service).contains("MILLRACE_KAFKA_INSTANCE_ID", "MILLRACE_MANAGEMENT_PORT");
        });
    }

    @Test
    void eachServiceHasProbesLimitsAndTimeToStop() {
        pods.forEach((service, pod) -> {
            Container container = container(pod);
            Set<String> ports =
                    container.getPorts().stream().map(port -> port.getName()).collect(Collectors.toSet());
            for (Probe probe :
                    List.of(container.getStartupProbe(), container.getReadinessProbe(), container.getLivenessProbe())) {
                HTTPGetAction get = probe.getHttpGet();
                assertThat(ports)
                        .as(service)
                        .contains(String.valueOf(get.getPort().getValue()));
                assertThat(get.getPath())
                        .as(service)
                        .isIn("/health/ready", "/health/live", "/health/readiness", "/health/liveness");
            }
            assertThat(container.getReadinessProbe().getHttpGet().getPath()).startsWith("/health/read");
            assertThat(container.getLivenessProbe().getHttpGet().getPath()).startsWith("/health/live");
            assertThat(container.getResources().getLimits()).as(service).containsOnlyKeys("memory");
            assertThat(container.getResources().getRequests()).as(service).containsOnlyKeys("memory", "cpu");
            assertThat(container.getResources().getRequests().get("memory"))
                    .as("%s: memory is not shared", service)
                    .isEqualTo(container.getResources().getLimits().get("memory"));
            assertThat(pod.getSpec().getTerminationGracePeriodSeconds())
                    .as(service)
                    .isGreaterThan(STOP);
            assertThat(container.getVolumeMounts().stream().map(mount -> mount.getName()))
                    .as(service)
                    .contains("tmp");
        });
    }

    @Test
    void whatSelectsPodsFindsThem() {
        Set<Map<String, String>> labels =
                pods.values().stream().map(pod -> pod.getMetadata().getLabels()).collect(Collectors.toSet());
        assertThat(all(Service.class)).hasSize(4).allSatisfy(service -> assertThat(labels)
                .anyMatch(pod -> pod.entrySet()
                        .containsAll(service.getSpec().getSelector().entrySet())));
        assertThat(all(PodDisruptionBudget.class)).hasSize(pods.size()).allSatisfy(budget -> assertThat(labels)
                .anyMatch(pod -> pod.entrySet()
                        .containsAll(
                                budget.getSpec().getSelector().getMatchLabels().entrySet())));
        assertThat(all(NetworkPolicy.class)).hasSize(4);
        assertThat(all(HorizontalPodAutoscaler.class)).singleElement().satisfies(scaler -> assertThat(
                        scaler.getSpec().getScaleTargetRef().getName())
                .isEqualTo("notifier"));
    }
}
