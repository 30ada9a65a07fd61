package millrace.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.core.propagation.PropagatedContext;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import millrace.runtime.telemetry.ServiceLogs;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class RequestIdTest {
    @Test
    void isInLogEventsOfEveryThreadThatWorksOnTheRequest() {
        PropagatedContext context = PropagatedContext.getOrEmpty().plus(new RequestId("r-1"));
        try (var _ = context.propagate()) {
            assertThat(MDC.get(ServiceLogs.REQUEST)).isEqualTo("r-1");
            Supplier<String> named = () -> String.valueOf(MDC.get(ServiceLogs.REQUEST));
            assertThat(CompletableFuture.supplyAsync(PropagatedContext.wrapCurrent(named))
                            .join())
                    .isEqualTo("r-1");
        }
        assertThat(MDC.get(ServiceLogs.REQUEST)).isNull();
    }
}
