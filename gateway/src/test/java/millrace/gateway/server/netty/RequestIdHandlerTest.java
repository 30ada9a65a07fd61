package millrace.gateway.server.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestIdHandlerTest {
    private static final String NAME = "X-Request-Id";

    private final EmbeddedChannel channel = new EmbeddedChannel(new RequestIdHandler());

    @ParameterizedTest
    @ValueSource(strings = {"a", "2bdf8b0d-77bc-4142-bef5-0d83c35938c9", "A.b_9-"})
    void takesOverTheIdOfTheClient(String id) {
        assertThat(passed(id)).isEqualTo(id);
        assertThat(answered(HttpResponseStatus.OK)).isEqualTo(id);
        String longest = "x".repeat(128);
        assertThat(passed(longest)).isEqualTo(longest);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a/b", "\"a\"", "<a>", "é", "a,b"})
    void makesAnotherOneInsteadOfWhatMayDoHarm(String id) {
        String made = passed(id);
        assertThat(made).matches("[0-9a-f]{32}");
        assertThat(answered(HttpResponseStatus.NOT_FOUND)).isEqualTo(made);
        assertThat(passed("x".repeat(129))).matches("[0-9a-f]{32}").isNotEqualTo(made);
        assertThat(passed(null)).matches("[0-9a-f]{32}").isNotEqualTo(made);
    }

    @Test
    void saysItInTheFinalAnswerOnly() {
        String id = passed(null);
        assertThat(answered(HttpResponseStatus.CONTINUE)).isNull();
        assertThat(answered(HttpResponseStatus.OK)).isEqualTo(id);
    }

    /** The framework may hand out no headers of a request, and an answer may have been given another id. */
    @Test
    void tellsTheChannelAndOverwritesWhatAnAnswerHas() {
        String id = passed("first");
        assertThat(channel.attr(RequestIdHandler.CURRENT).get()).isEqualTo(id);
        var answer = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        answer.headers().set(NAME, "another");
        channel.writeOutbound(answer);
        assertThat(answer.headers().getAll(NAME)).containsExactly(id);
        assertThat(channel.attr(RequestIdHandler.CURRENT).get()).isEqualTo(id);
        assertThat(passed("second"))
                .isEqualTo(channel.attr(RequestIdHandler.CURRENT).get());
    }

    /** What the routes see. */
    private @Nullable String passed(@Nullable String id) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        if (id != null) {
            request.headers().set(NAME, id);
        }
        channel.writeInbound(request);
        HttpRequest passed = channel.readInbound();
        return passed.headers().get(NAME);
    }

    private @Nullable String answered(HttpResponseStatus status) {
        channel.writeOutbound(new DefaultHttpResponse(HttpVersion.HTTP_1_1, status));
        HttpResponse answer = channel.readOutbound();
        return answer.headers().get(NAME);
    }
}
