package io.hearth.balancer.log;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;

import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class RareLogTest {

    private final Logger log = mock(Logger.class);
    private final RareLog rareLog = new RareLog(log);

    @Test
    void aKindIsLoggedOnceAMinuteWithTheNumberOfThosePassedOver() {
        rareLog.warn("kind", "first", 0);
        rareLog.warn("kind", "second", 1);
        rareLog.warn("kind", "third", 59_999);
        rareLog.warn("other", "else", 59_999);
        rareLog.warn("kind", "fourth", 60_000);
        rareLog.warn("kind", "fifth", 119_999);
        rareLog.warn("kind", "sixth", 120_000);

        line("first", "");
        line("else", "");
        line("fourth", " (and 2 more like it since the last such line)");
        line("sixth", " (and 1 more like it since the last such line)");
        verifyNoMoreInteractions(log);
    }

    @Test
    void aClockThatWasSetBackDoesNotSilenceIt() {
        rareLog.warn("kind", "first", 10_000_000);
        rareLog.warn("kind", "second", 0);
        rareLog.warn("kind", "third", 1);

        line("first", "");
        line("second", "");
        verifyNoMoreInteractions(log);
    }

    private void line(String message, String repeats) {
        verify(log).warn(eq("{}{}"), eq(message), eq(repeats), any());
    }
}
