/** The end of the demo as a person reads it: tables and summary as text, and the page with its pictures. */
@NullMarked
package io.hearth.demo.report;

import org.jspecify.annotations.NullMarked;
