package millrace.gateway.fuzz;

import java.util.function.BiConsumer;

/** One thing that is done to a request. */
record RequestMutation(String name, BiConsumer<RequestDraft, SeededRandom> change) {

    /** Leaves it open whether the message is all there. */
    static RequestMutation cutting(String name, BiConsumer<RequestDraft, SeededRandom> change) {
        return new RequestMutation(name, (draft, dice) -> {
            change.accept(draft, dice);
            draft.whole = false;
        });
    }
}
