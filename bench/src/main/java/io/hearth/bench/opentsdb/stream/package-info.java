/** A stream of metrics whose every point follows from its number, and where OpenTSDB puts those points: keys, regions and who is hot. */
@NullMarked
package io.hearth.bench.opentsdb.stream;

import org.jspecify.annotations.NullMarked;
