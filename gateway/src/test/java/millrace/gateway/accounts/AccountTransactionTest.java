package millrace.gateway.accounts;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class AccountTransactionTest {
    @Test
    void knowsEveryAnswerThatMeansThatAnotherGatewayTookTheId() {
        assertThat(AccountTransaction.fenced(new ProducerFencedException("x"))).isTrue();
        assertThat(AccountTransaction.fenced(new InvalidProducerEpochException("x")))
                .isTrue();
        assertThat(AccountTransaction.fenced(new InvalidTxnStateException("x"))).isTrue();
        // As the client words what the broker's coordinator throws where a commit meets the other's arrival.
        assertThat(AccountTransaction.fenced(new KafkaException(
                        "Cannot execute transactional method because we are in an error state",
                        new KafkaException("Unhandled error in EndTxnResponse: The server experienced an unexpected"
                                + " error when processing the request."))))
                .isTrue();
        assertThat(AccountTransaction.fenced(new TimeoutException("x"))).isFalse();
        assertThat(AccountTransaction.fenced(new KafkaException("x"))).isFalse();
    }
}
