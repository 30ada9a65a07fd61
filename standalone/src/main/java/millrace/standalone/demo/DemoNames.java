package millrace.standalone.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * The sites, keywords and countries of the demo warehouse. None of the sites exists: {@code
 * .example} is reserved.
 */
public final class DemoNames {
    private static final List<String> PLACES = List.of(
            "harbor", "river", "summit", "valley", "island", "prairie", "canyon", "meadow", "forest", "lagoon", "delta",
            "coral", "desert", "glacier", "orchard", "bridge", "castle", "garden", "lantern", "copper", "silver",
            "amber", "cedar", "maple", "willow", "falcon", "heron", "otter", "badger", "comet", "aurora", "zephyr");
    private static final List<String> TRADES = List.of(
            "news", "shop", "travel", "bank", "games", "recipes", "health", "sports", "music", "jobs", "maps",
            "weather", "books", "fashion", "cars", "films");
    private static final List<String> THINGS = List.of(
            "running shoes",
            "coffee maker",
            "garden chair",
            "city map",
            "winter jacket",
            "mountain bike",
            "phone case",
            "office desk",
            "tax form",
            "weather radar",
            "guitar strings",
            "cat food",
            "train ticket",
            "hotel room",
            "rain boots",
            "board game",
            "bread recipe",
            "car tyres",
            "reading lamp",
            "yoga mat",
            "travel insurance",
            "language course",
            "concert ticket",
            "wall paint",
            "tomato seeds",
            "hiking trail",
            "savings account",
            "film review",
            "football score",
            "job interview",
            "laptop bag",
            "water bottle",
            "kitchen knife",
            "baby stroller",
            "sun cream",
            "wedding dress",
            "moving van",
            "swimming pool",
            "science kit",
            "vinyl record");
    private static final List<String> WISHES = List.of(
            "best",
            "cheap",
            "buy",
            "used",
            "new",
            "free",
            "top 10",
            "how to choose",
            "where to find",
            "what is",
            "compare",
            "repair",
            "rent",
            "sell",
            "second hand",
            "online",
            "local",
            "small",
            "large",
            "red",
            "blue",
            "green",
            "modern",
            "vintage",
            "waterproof",
            "electric",
            "portable",
            "professional",
            "beginner",
            "kids",
            "family",
            "student",
            "senior",
            "luxury",
            "budget",
            "handmade",
            "organic",
            "recycled",
            "fast",
            "quiet",
            "strong",
            "light",
            "simple",
            "smart",
            "classic",
            "seasonal",
            "discount",
            "gift",
            "review of",
            "price of");
    /** Keywords that a careless CSV writer gets wrong. */
    private static final List<String> AWKWARD = List.of(
            "\"quoted\" shoes",
            "bread, butter, jam",
            "=sum(a1:a9)",
            "-40 degrees",
            "+1 country code",
            "@home",
            "café crème",
            "東京 地図",
            "＝全角",
            "шахматы",
            "o'neill jacket");

    private static final List<String> COUNTRIES = List.of(
            "US", "IN", "BR", "GB", "DE", "FR", "JP", "CA", "MX", "IT", "ES", "AU", "NL", "PL", "SE", "ZA", "AR", "KR",
            "TR", "CH");

    private DemoNames() {}

    /** 512 sites, sorted. */
    public static List<String> domains() {
        return PLACES.stream()
                .flatMap(place -> TRADES.stream().map(trade -> place + "-" + trade + ".example"))
                .sorted()
                .toList();
    }

    /**
     * 2,011 keywords, among them some with commas, quotes, other scripts and a formula. Their number is a prime, so
     * that steps through the list do not coincide.
     */
    static List<String> keywords() {
        List<String> all = new ArrayList<>(WISHES.stream()
                .flatMap(wish -> THINGS.stream().map(thing -> wish + " " + thing))
                .toList());
        all.addAll(AWKWARD);
        Collections.sort(all);
        return List.copyOf(all);
    }

    /**
     * {@code WW} (the world, including countries that are not listed) and 20 countries, the largest
     * market first.
     */
    public static List<String> countries() {
        return Stream.concat(Stream.of("WW"), COUNTRIES.stream()).toList();
    }
}
