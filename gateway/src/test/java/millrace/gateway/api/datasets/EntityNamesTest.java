package millrace.gateway.api.datasets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import millrace.contracts.requests.DatasetExample;
import millrace.files.entities.EntityDictionary;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EntityNamesTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final long MUCH = 16 << 20;
    /** Of a cache that holds a few blocks only. */
    private static final long LITTLE = 64 << 10;
    /** About 150 blocks. */
    private static final List<String> MANY =
            IntStream.range(100_000, 300_000).mapToObj(i -> "name " + i).toList();

    @TempDir
    private Path root;

    private HeldStore store;
    private final List<EntityNames> opened = new ArrayList<>();

    @BeforeEach
    void folder() throws IOException {
        store = new HeldStore(root);
    }

    @AfterEach
    void close() {
        store.release();
        opened.forEach(EntityNames::close);
    }

    @Test
    void findsNamesOfThePublishedVersion() throws IOException {
        EntityNames names = names(MUCH, Duration.ZERO);
        assertThatThrownBy(() -> startingWith(names, "", 10, LONG))
                .isInstanceOf(IOException.class)
                .hasMessage("the entities of keywords are not known yet");
        names.published(write("v1", List.of("apple", "run", "running")));
        assertThat(startingWith(names, "run", 10, LONG)).containsExactly("run", "running");
        assertThat(missing(names, List.of("apple", "pear", "run"), LONG)).containsExactly("pear");
        names.published(write("v2", List.of("pear")));
        assertThat(startingWith(names, "", 10, LONG)).containsExactly("pear");
        names.published(new DatasetExample("keywords", "v3", null, null, null, null, null, null));
        assertThatThrownBy(() -> startingWith(names, "", 10, LONG)).isInstanceOf(IOException.class);
    }

    /** So that nobody waits for the storage. */
    @Test
    void readsASmallDictionaryAtOnceAndAsAWhole() throws IOException {
        EntityNames names = names(MUCH, Duration.ZERO);
        names.published(write("v1", MANY));
        await().until(() -> checked(names, MANY, Duration.ZERO) == MANY.size());
        store.hold();
        assertThat(missing(names, MANY, Duration.ZERO)).isEmpty();
        assertThat(startingWith(names, "name 29999", 20, Duration.ZERO)).hasSize(10);
    }

    @Test
    void keepsNoMoreOfALargeOneThanItMay() throws IOException {
        EntityNames names = names(LITTLE, Duration.ZERO);
        names.published(write("v1", MANY));
        assertThat(missing(names, MANY, LONG)).isEmpty();
        int all = store.reads();
        assertThat(all).isGreaterThan(10);
        assertThat(startingWith(names, "name 299999", 10, LONG)).containsExactly("name 299999");
        assertThat(store.reads()).as("the last block was used last").isEqualTo(all);
        assertThat(startingWith(names, "name 100000", 10, LONG)).containsExactly("name 100000");
        assertThat(store.reads()).as("the first block has been given up").isEqualTo(all + 1);
    }

    @Test
    void doesNotWaitForAStorageThatDoesNotAnswer() throws IOException {
        EntityNames names = names(LITTLE, LONG);
        names.published(write("v1", MANY));
        assertThat(startingWith(names, "name 100000", 1, LONG)).hasSize(1);
        assertThat(names.paused()).isFalse();
        store.hold();
        assertThatThrownBy(() -> startingWith(names, "name 299999", 1, SHORT))
                .hasMessage("the entities were not read in time");
        assertThat(names.paused()).isTrue();
        // What is in memory is found all the same.
        assertThat(startingWith(names, "name 100000", 1, Duration.ZERO)).hasSize(1);
        store.release();
        assertThat(startingWith(names, "name 299999", 1, LONG)).hasSize(1);
    }

    @Test
    void saysOfWhichVersionItSpeaks() throws IOException {
        EntityNames names = names(MUCH, Duration.ZERO);
        names.published(write("v1", List.of("apple")));
        assertThat(names.look("keywords", List.of("pear"), 10, LONG)).hasValueSatisfying(found -> {
            assertThat(found.version()).isEqualTo("v1");
            assertThat(found.whole()).isTrue();
        });
        assertThat(names.look("demographics", List.of("pear"), 10, LONG)).isEmpty();
    }

    /** What was found until then makes the report cheaper. */
    @Test
    void saysWhatItHasFoundInTime() throws IOException {
        EntityNames names = names(LITTLE, LONG);
        names.published(write("v1", MANY));
        assertThat(missing(names, List.of("name 100000 x"), LONG)).containsExactly("name 100000 x");
        store.hold();
        List<String> asked = List.of("name 100000", "name 100000 x", "name 299999 x");
        assertThat(names.look("keywords", asked, 10, SHORT)).hasValueSatisfying(found -> {
            assertThat(found.names().checked()).isEqualTo(2);
            assertThat(found.names().first()).containsExactly("name 100000 x");
        });
        assertThat(names.paused()).isTrue();
        assertThat(names.look("keywords", List.of("name 299999 x"), 10, Duration.ZERO))
                .isEmpty();
    }

    @Test
    void opensAFileThatWasMissingAgain() throws IOException {
        EntityNames names = names(MUCH, Duration.ZERO);
        DatasetExample example = write("v1", List.of("apple"));
        store.delete(EntityDictionary.fileName("keywords", "v1"));
        names.published(example);
        assertThatThrownBy(() -> startingWith(names, "", 10, LONG)).isInstanceOf(IOException.class);
        DatasetExample unused = write("v1", List.of("apple"));
        await().ignoreExceptions()
                .until(() -> startingWith(names, "", 10, LONG), found -> found.equals(List.of("apple")));
    }

    @Test
    void opensAFileAgainAfterAnyError() throws IOException {
        EntityNames names = names(MUCH, Duration.ZERO);
        store.setBroken(true);
        names.published(write("v1", List.of("apple")));
        assertThatThrownBy(() -> startingWith(names, "", 10, LONG)).hasMessageContaining("a fault of a client library");
        store.setBroken(false);
        await().ignoreExceptions()
                .until(() -> startingWith(names, "", 10, LONG), found -> found.equals(List.of("apple")));
    }

    @Test
    void opensAFileAgainThatCameWhenAllReadersWereBusy() throws IOException {
        EntityNames names = names(MUCH, Duration.ZERO);
        DatasetExample example = write("v1", List.of("apple"));
        store.hold();
        for (int i = 0; i < EntityNames.READERS + EntityNames.WAITING_READS; i++) {
            names.published(new DatasetExample("busy-" + i, "v1", null, example.facts(), null, null, null, null));
        }
        names.published(example);
        assertThatThrownBy(() -> startingWith(names, "", 10, SHORT)).hasMessageContaining("RejectedExecutionException");
        store.release();
        await().ignoreExceptions()
                .until(() -> startingWith(names, "", 10, LONG), found -> found.equals(List.of("apple")));
    }

    @Test
    void aBlockThatManyWantIsReadOnce() throws Exception {
        DatasetExample unused = write("v1", MANY);
        var dictionary = EntityDictionary.open(store, EntityDictionary.fileName("keywords", "v1"));
        List<Runnable> waiting = new ArrayList<>();
        var cache = new BlockCache(MUCH, waiting::add);
        CompletableFuture<byte[]> first = cache.get(dictionary, 3);
        assertThat(cache.get(dictionary, 3)).isSameAs(first);
        assertThat(waiting).hasSize(1);
        waiting.forEach(Runnable::run);
        assertThat(first.join()).isEqualTo(dictionary.read(3));
        assertThat(cache.get(dictionary, 3).join()).isEqualTo(dictionary.read(3));
        assertThat(waiting).hasSize(1);
        assertThat(cache.bytes()).isEqualTo(dictionary.read(3).length);
        cache.remove(dictionary);
        assertThat(cache.bytes()).isZero();
    }

    @Test
    void holdsBlocksUpToItsBytes() throws Exception {
        DatasetExample unused = write("v1", MANY);
        var dictionary = EntityDictionary.open(store, EntityDictionary.fileName("keywords", "v1"));
        var cache = new BlockCache(LITTLE, Runnable::run);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < dictionary.blocks(); i++) {
                assertThat(cache.get(dictionary, i).join()).isEqualTo(dictionary.read(i));
                assertThat(cache.bytes()).isPositive().isLessThanOrEqualTo(LITTLE);
            }
        }
        assertThat(cache.hasRoom(LITTLE - cache.bytes())).isTrue();
        assertThat(cache.hasRoom(LITTLE - cache.bytes() + 1)).isFalse();
    }

    @Test
    void whatCannotBeReadIsNotKept() throws Exception {
        DatasetExample unused = write("v1", MANY);
        String file = EntityDictionary.fileName("keywords", "v1");
        var dictionary = EntityDictionary.open(store, file);
        var busy = new BlockCache(MUCH, task -> {
            throw new RejectedExecutionException();
        });
        assertThat(busy.get(dictionary, 0))
                .failsWithin(LONG)
                .withThrowableThat()
                .withMessageContaining("too many");
        var cache = new BlockCache(MUCH, Runnable::run);
        store.delete(file);
        assertThat(cache.get(dictionary, 0)).isCompletedExceptionally();
        DatasetExample again = write("v1", MANY);
        assertThat(again.version()).isEqualTo("v1");
        assertThat(cache.get(dictionary, 0).join()).isEqualTo(dictionary.read(0));
    }

    private static List<String> startingWith(EntityNames names, String prefix, int most, Duration wait)
            throws IOException {
        return names.startingWith("keywords", prefix, name -> true, most, wait);
    }

    private static int checked(EntityNames names, List<String> asked, Duration wait) {
        return names.look("keywords", asked, 10, wait)
                .map(found -> found.names().checked())
                .orElse(0);
    }

    /** The missing names; all are looked up. */
    private static List<String> missing(EntityNames names, List<String> asked, Duration wait) {
        var found = names.look("keywords", asked, 10, wait).orElseThrow().names();
        assertThat(found.checked()).isEqualTo(asked.size());
        return found.first();
    }

    private DatasetExample write(String version, List<String> names) throws IOException {
        return TestDictionaries.write(store, "keywords", version, names, Map.of());
    }

    private EntityNames names(long cacheBytes, Duration pause) {
        var names = new EntityNames(store, cacheBytes, pause);
        opened.add(names);
        return names;
    }
}
