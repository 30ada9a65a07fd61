package millrace.gateway.api.events;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpRequestWrapper;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import millrace.contracts.accounts.KeyScope;
import millrace.gateway.access.ApiKeyFilter;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.copy.activity.ActivityFeed;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.QueryParameters;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.TakesParameters;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Streams the events of an account. */
@Controller("/v3/batch")
@BlockingRoutes
final class EventRoutes {
    private static final String LAST_EVENT_ID = "Last-Event-ID";

    private final ActivityFeed activity;
    private final EventFeeds feeds;

    EventRoutes(ActivityFeed activity, EventFeeds feeds) {
        this.activity = activity;
        this.feeds = feeds;
    }

    /** @param from null for what happens from now on */
    private record Wanted(Set<EventType> types, @Nullable FeedPosition from) {}

    @Get("/events")
    @RequiredScopes(KeyScope.READ)
    @TakesParameters(value = "since", lists = "types")
    HttpResponse<?> events(HttpRequest<?> http) {
        List<String> errors = new ArrayList<>();
        Wanted wanted = new Wanted(types(http, errors), from(http, errors));
        RefusedException.ifAny(errors);
        Optional<String> unavailable = activity.unavailable();
        if (unavailable.isPresent()) {
            return JsonResponses.unavailable(ProblemCode.GATEWAY_STARTING, unavailable.get());
        }
        if (http.getMethod() == HttpMethod.HEAD) {
            return described(HttpResponse.ok());
        }
        return stream(http, wanted);
    }

    private HttpResponse<?> stream(HttpRequest<?> http, Wanted wanted) {
        Channel channel = channel(http);
        var reader = new EventFeed.Reader(
                ApiKeyFilter.caller(http).accountId(), String.valueOf(ApiKeyFilter.key(http)), wanted.types(), () -> {
                    var unused = channel.close();
                });
        FeedPosition from = wanted.from() == null
                ? FeedPosition.at(activity.end())
                : wanted.from().to(activity.completed(wanted.from().positions()));
        Optional<EventFeed> opened = feeds.open(reader, from);
        if (opened.isEmpty()) {
            return JsonResponses.retryAfter(
                    JsonResponses.problem(
                            ProblemCode.TOO_MANY_FEEDS,
                            "The account may have " + EventFeeds.OF_ACCOUNT
                                    + " feeds open at a gateway; this is one more."),
                    Duration.ofSeconds(1));
        }
        EventFeed feed = opened.get();
        if (feeds.closed()) {
            feeds.ended(feed);
            return JsonResponses.unavailable(ProblemCode.GATEWAY_STOPPING, "This gateway is stopping; try again.");
        }
        // On the connection's own thread, which also ends the stream: if another thread hands an event over while the
        // client
        // disconnects, Micronaut fails with a warning and a stack trace.
        Scheduler ofChannel = Schedulers.fromExecutor(channel.eventLoop());
        return described(HttpResponse.ok(feed.events(() -> feeds.ended(feed)).publishOn(ofChannel, 1)));
    }

    private static HttpResponse<?> described(MutableHttpResponse<?> response) {
        return response.contentType(MediaType.TEXT_EVENT_STREAM_TYPE)
                // A compressed stream would hold events back until they fill a block.
                .header(HttpHeaders.CONTENT_ENCODING, "identity")
                // The same of proxies that buffer answers.
                .header("X-Accel-Buffering", "no");
    }

    private static Set<EventType> types(HttpRequest<?> http, List<String> errors) {
        List<String> words = QueryParameters.words(http, "types");
        if (words.isEmpty()) {
            return EnumSet.allOf(EventType.class);
        }
        Set<EventType> types = words.stream()
                .flatMap(word -> EventType.of(word.strip()).stream())
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(EventType.class)));
        if (types.size() != words.size()) {
            errors.add("types: must be one or more of " + String.join(", ", EventType.words())
                    + ", separated by commas, each once.");
        }
        return types;
    }

    private static @Nullable FeedPosition from(HttpRequest<?> http, List<String> errors) {
        String header = http.getHeaders().get(LAST_EVENT_ID);
        boolean named = header != null && !header.isBlank();
        String text = named ? header : http.getParameters().get("since");
        if (text == null) {
            return null;
        }
        Optional<FeedPosition> from = FeedPosition.parse(text.strip());
        if (from.isEmpty()) {
            errors.add(
                    (named ? LAST_EVENT_ID : "since") + ": must be the id of an event of this feed, as it was sent.");
        }
        return from.orElse(null);
    }

    private static Channel channel(HttpRequest<?> http) {
        HttpRequest<?> request = http;
        while (request instanceof HttpRequestWrapper<?> wrapper) {
            request = wrapper.getDelegate();
        }
        if (!(request instanceof NettyHttpRequest<?> netty)) {
            throw new IllegalStateException("not a request of this server: " + request.getClass());
        }
        return netty.getChannelHandlerContext().channel();
    }
}
