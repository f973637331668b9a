/** What takes too long for {@code mvn verify}: the profiles {@code soak} and {@code release-checks} (CONTRIBUTING.md). */
package io.hearth.checks;
