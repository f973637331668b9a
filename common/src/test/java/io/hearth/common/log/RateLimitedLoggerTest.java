// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.log;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;

import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class RateLimitedLoggerTest {

    private final Logger log = mock(Logger.class);
    private final RateLimitedLogger rateLimitedLogger = new RateLimitedLogger(log);

    @Test
    void aKindIsLoggedOnceAMinuteWithTheNumberOfThosePassedOver() {
        rateLimitedLogger.warn("kind", "first", 0);
        rateLimitedLogger.warn("kind", "second", 1);
        rateLimitedLogger.warn("kind", "third", 59_999);
        rateLimitedLogger.warn("other", "else", 59_999);
        rateLimitedLogger.warn("kind", "fourth", 60_000);
        rateLimitedLogger.warn("kind", "fifth", 119_999);
        rateLimitedLogger.warn("kind", "sixth", 120_000);

        line("first", "");
        line("else", "");
        line("fourth", " (and 2 more like it since the last such line)");
        line("sixth", " (and 1 more like it since the last such line)");
        verifyNoMoreInteractions(log);
    }

    @Test
    void aClockThatWasSetBackDoesNotSilenceIt() {
        rateLimitedLogger.warn("kind", "first", 10_000_000);
        rateLimitedLogger.warn("kind", "second", 0);
        rateLimitedLogger.warn("kind", "third", 1);

        line("first", "");
        line("second", "");
        verifyNoMoreInteractions(log);
    }

    private void line(String message, String repeats) {
        verify(log).warn(eq("{}{}"), eq(message), eq(repeats), any());
    }
}
