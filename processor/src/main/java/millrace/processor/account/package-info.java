/**
 * The ledger of one account and the dispatch of its reports, pure: commands and time come in, facts come out. What is known
 * is read through {@link millrace.processor.account.Books}; what has become of it is held by a {@link
 * millrace.processor.account.Draft}; nothing here knows of Kafka, files or clocks.
 */
@NullMarked
package millrace.processor.account;

import org.jspecify.annotations.NullMarked;
