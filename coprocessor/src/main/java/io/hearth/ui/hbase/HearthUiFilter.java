// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import io.hearth.balancer.engine.MasterWork;
import io.hearth.balancer.hbase.MasterMeter;
import io.hearth.common.hadoop.LinkFailure;
import io.hearth.common.log.RateLimitedLogger;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.hbase.master.HMaster;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers under {@code /hearth} in the HMaster's web UI, and lets every other request pass untouched. What it answers was
 * published before: it takes no lock of the master and asks nobody. Whatever fails is counted, logged at most once a minute and
 * answered with a 500. Thread-safe.
 */
public final class HearthUiFilter implements Filter {

    private static final Logger LOG = LoggerFactory.getLogger(HearthUiFilter.class);

    private final RateLimitedLogger rateLimitedLogger = new RateLimitedLogger(LOG);
    private Optional<PagePublisher> publisher = Optional.empty();
    /** Made by {@link #init}: a filter that can't be made would end the HMaster. */
    private @Nullable UiMetrics metrics;

    @Override
    public void init(FilterConfig filter) {
        try {
            UiMetrics shared = UiMetrics.shared();
            metrics = shared;
            ServletContext context = filter.getServletContext();
            // HBase has a context of its own for logs and for static files, each with its own filter.
            if (context.getContextPath().isEmpty()) {
                PagePublisher started =
                        new PagePublisher(() -> master(context), () -> false, shared, rateLimitedLogger);
                started.start();
                publisher = Optional.of(started);
            }
        } catch (Throwable failure) {
            failed("init", failure);
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (isUiPath(request) && answer(request, response)) {
            return;
        }
        chain.doFilter(request, response);
    }

    @Override
    public void destroy() {
        publisher.ifPresent(PagePublisher::stop);
    }

    private boolean isUiPath(ServletRequest request) {
        try {
            return publisher.isPresent() && request instanceof HttpServletRequest http && UiPaths.isUiPath(path(http));
        } catch (Throwable failure) {
            failed("path", failure);
            return false;
        }
    }

    /** As Jetty has decoded and normalised it: what authentication saw. */
    private static String path(HttpServletRequest request) {
        String info = request.getPathInfo();
        return request.getServletPath() + (info == null ? "" : info);
    }

    /** Whether there was an answer, of which a failure is one as well. */
    private boolean answer(ServletRequest request, ServletResponse response) throws IOException {
        try {
            return answer((HttpServletRequest) request, (HttpServletResponse) response);
        } catch (IOException clientIsGone) {
            throw clientIsGone;
        } catch (Throwable failure) {
            failed("request", failure);
            return tellFailure(request, response);
        }
    }

    /** Whether there was an answer: a RegionServer, or a page that is switched off, has none. */
    private boolean answer(HttpServletRequest request, HttpServletResponse response) throws Exception {
        Optional<HMaster> master = master(request.getServletContext());
        if (master.isEmpty()) {
            return false;
        }
        UiMetrics shared = Objects.requireNonNull(metrics);
        shared.requested();
        Optional<ApiResponse> answer = MasterMeter.shared()
                .onHBasesThread(
                        MasterWork.REQUESTS, () -> new UiRequestHandler(master.get(), publisher.orElseThrow(), shared)
                                .of(path(request), request));
        if (answer.isPresent()) {
            ServletResponseWriter.send(answer.get(), request, response);
        }
        return answer.isPresent();
    }

    /** Whether it could be told: what an answer is written with may be what is missing, and then HBase answers. */
    private static boolean tellFailure(ServletRequest request, ServletResponse response) throws IOException {
        try {
            ServletResponseWriter.send(
                    ApiResponse.problem(
                            ApiResponse.FAILED, "The page failed. The master continues; its log has the reason."),
                    (HttpServletRequest) request,
                    (HttpServletResponse) response);
            return true;
        } catch (LinkageError alsoMissing) {
            return false;
        }
    }

    private static Optional<HMaster> master(ServletContext context) {
        return context.getAttribute(HMaster.MASTER) instanceof HMaster master ? Optional.of(master) : Optional.empty();
    }

    private void failed(String kind, Throwable failure) {
        if (metrics != null) {
            metrics.failed();
        }
        LinkFailure.warn(
                rateLimitedLogger,
                kind,
                "Hearth's page failed; the master continues.",
                failure,
                System.nanoTime() / 1_000_000);
    }

    /** Writes an answer as a servlet's response. */
    private static final class ServletResponseWriter {

        private ServletResponseWriter() {}

        static void send(ApiResponse answer, HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            if (response.isCommitted()) {
                return;
            }
            response.setStatus(answer.status());
            response.setContentType(answer.contentType());
            ApiResponse.SECURITY_HEADERS.forEach(response::setHeader);
            answer.headers().forEach(response::setHeader);
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            response.setContentLength(body.length);
            if (!request.getMethod().equals("HEAD")) {
                response.getOutputStream().write(body);
            }
        }
    }
}
