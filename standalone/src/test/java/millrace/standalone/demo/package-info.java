@NullMarked
package millrace.standalone.demo;

import org.jspecify.annotations.NullMarked;
