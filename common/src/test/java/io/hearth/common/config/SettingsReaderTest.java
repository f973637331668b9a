// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;

import io.hearth.common.config.ConfigProblem.ConfigProblemLog;
import io.hearth.common.config.RawSettings.MapSettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** What is read, what is used in place of what can't be, and how often an operator is told. */
class SettingsReaderTest {

    private static final Setting<Integer> MOVES = Setting.integer("hearth.moves", 5, 1, 9, "", "For the test.");

    private static SettingsReader reader(Map<String, String> values) {
        return new SettingsReader("hbase-site.xml", new MapSettings(values));
    }

    @Test
    void aValueIsReadAndAnAbsentOneIsTheDefaultOrWhatTheCallerSays() {
        SettingsReader set = reader(Map.of("hearth.moves", " 7 "));
        assertThat(set.read(MOVES)).isEqualTo(7);
        assertThat(set.read(MOVES, 3)).isEqualTo(7);

        SettingsReader absent = reader(Map.of("hearth.other", "7"));
        assertThat(absent.read(MOVES)).isEqualTo(5);
        assertThat(absent.read(MOVES, 3)).isEqualTo(3);
        assertThat(absent.problems()).isEmpty();
    }

    /** Broken (as it was written): whoever may alter a table writes lines of the master's log. */
    @Test
    void aValueOfManyLinesIsOneLine() {
        SettingsReader reader = reader(Map.of("hearth.moves", "1\n2026-11-26 WARN all is lost\u001b[2J"));

        reader.read(MOVES);

        assertThat(reader.problems().get(0).message())
                .isEqualTo(
                        "hearth.moves = '1?2026-11-26 WARN all is lost?[2J' in hbase-site.xml can't be used: it must be "
                                + MOVES.allowed() + ". 5 is used instead.");
    }

    @Test
    void whatIsAbsentIsTheDefaultAndWhatCannotBeUsedTheCarefulValue() {
        assertThat(reader(Map.of()).readOrFailSafe(MOVES, 1)).isEqualTo(5);
        assertThat(reader(Map.of("hearth.moves", "8")).readOrFailSafe(MOVES, 1)).isEqualTo(8);
        assertThat(reader(Map.of("hearth.moves", "many")).readOrFailSafe(MOVES, 1))
                .isEqualTo(1);
    }

    @Test
    void aValueThatCannotBeUsedIsOneLine() {
        SettingsReader reader = reader(Map.of("hearth.moves", "ten"));

        assertThat(reader.read(MOVES, 3)).isEqualTo(3);
        reader.problem(MOVES, 4, "it must be odd.");

        assertThat(reader.problems())
                .extracting(ConfigProblem::message)
                .containsExactly(
                        "hearth.moves = 'ten' in hbase-site.xml can't be used: it must be a whole number from 1 to 9."
                                + " 3 is used instead.",
                        "hearth.moves = 4 in hbase-site.xml can't be used: it must be odd.");
        assertThat(reader.problems())
                .allMatch(problem ->
                        problem.key().equals("hearth.moves") && problem.where().equals("hbase-site.xml"));
    }

    @Test
    void keysAreThoseOfThePrefixAlone() {
        MapSettings settings = new MapSettings(Map.of("a.b", "1", "a.c", "2", "ab", "3", "a", "4"));

        assertThat(settings.keysWithPrefix("a.")).containsExactly("a.b", "a.c");
        assertThat(settings.value("a.c")).contains("2");
        assertThat(settings.value("a.d")).isEmpty();
    }

    @Test
    void aProblemIsLoggedOnceForAsLongAsItLasts() {
        Logger log = mock(Logger.class);
        ConfigProblemLog problems = new ConfigProblemLog(log);
        ConfigProblem lasting = new ConfigProblem("w", "a", "first");
        ConfigProblem other = ConfigProblem.notInstalled("hbase-site.xml", "hearth.ui.x", "hearth-coprocessor.jar");

        assertThat(problems.report(List.of(lasting))).isEqualTo(1);
        assertThat(problems.report(List.of(lasting, other))).isEqualTo(1);
        assertThat(problems.report(List.of(other))).isZero();
        verify(log).warn("{}", "first");
        verify(log)
                .warn(
                        "{}",
                        "hearth.ui.x in hbase-site.xml is a key of hearth-coprocessor.jar, which is not installed here, and"
                                + " has no effect.");
        verifyNoMoreInteractions(log);

        assertThat(problems.report(List.of(lasting)))
                .as("mended and back again")
                .isEqualTo(1);
    }
}
