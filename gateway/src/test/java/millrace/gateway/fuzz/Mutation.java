package millrace.gateway.fuzz;

import java.util.function.BiConsumer;

/** One thing that is done to a request. */
record Mutation(String name, BiConsumer<Draft, Dice> change) {

    /** Leaves it open whether the message is all there. */
    static Mutation cutting(String name, BiConsumer<Draft, Dice> change) {
        return new Mutation(name, (draft, dice) -> {
            change.accept(draft, dice);
            draft.whole = false;
        });
    }
}
