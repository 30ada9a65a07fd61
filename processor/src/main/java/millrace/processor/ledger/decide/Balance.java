package millrace.processor.ledger.decide;

import millrace.contracts.accounts.LedgerEntry;

/**
 * The credits of an account. The constructor enforces the invariant: granted = remaining + reserved + used, and none of
 * them is negative.
 */
public record Balance(long granted, long remaining, long reserved, long used) {
    public static final Balance ZERO = new Balance(0, 0, 0, 0);

    public Balance {
        if (remaining < 0
                || reserved < 0
                || used < 0
                || granted != Math.addExact(Math.addExact(remaining, reserved), used)) {
            throw new IllegalStateException("not a balance: granted " + granted + ", remaining " + remaining
                    + ", reserved " + reserved + ", used " + used);
        }
    }

    /**
     * The balance after an entry of the ledger.
     *
     * @throws IllegalStateException where the balance has too few credits
     * @throws ArithmeticException where the sum overflows
     */
    public Balance moved(LedgerEntry.Kind kind, long amount) {
        if (amount < 0) {
            throw new IllegalStateException("a " + kind + " of " + amount + " credits");
        }
        return switch (kind) {
            case OPENING -> this;
            case GRANT -> new Balance(Math.addExact(granted, amount), remaining + amount, reserved, used);
            case RESERVATION -> new Balance(granted, remaining - amount, Math.addExact(reserved, amount), used);
            case SETTLEMENT -> new Balance(granted, remaining, reserved - amount, Math.addExact(used, amount));
            case EXPIRY -> new Balance(granted - amount, remaining - amount, reserved, used);
            case RELEASE -> new Balance(granted, Math.addExact(remaining, amount), reserved - amount, used);
        };
    }
}
