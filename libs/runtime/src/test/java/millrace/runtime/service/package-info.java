@NullMarked
package millrace.runtime.service;

import org.jspecify.annotations.NullMarked;
