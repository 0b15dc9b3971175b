# Three images of one file. `docker build .` makes the last one, which runs all of it in one container; `--target server` and
# `--target runner` make those of one part each, for several machines (docs/scale.md). Each part of them has a user of its own.

FROM node:26-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev

FROM node:26-bookworm-slim AS console
WORKDIR /app
COPY package.json package-lock.json ./
# A workspace with the TypeScript that the editor's worker is built from.
COPY console/editor/package.json ./console/editor/
RUN npm ci
COPY . .
RUN npm run build:console && npm run build:app

# What all images have. tini passes signals on, and ends what the sandbox leaves behind; as the first process, Node would do neither.
FROM node:26-bookworm-slim AS program
RUN apt-get update && apt-get install --yes --no-install-recommends tini && rm -rf /var/lib/apt/lists/* && \
    useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin backroom && \
    useradd --uid 10002 --no-create-home --shell /usr/sbin/nologin runner && \
    useradd --uid 10003 --no-create-home --shell /usr/sbin/nologin worker
WORKDIR /app
ENV NODE_ENV=production MALLOC_ARENA_MAX=2
COPY --from=dependencies /app/node_modules ./node_modules
# The digest of the sources, by which the build is found, has the lock file, too.
COPY package.json package-lock.json ./
COPY contract ./contract
COPY sandbox-lib ./sandbox-lib
COPY server ./server
COPY runner ./runner
COPY cli ./cli
COPY ops ./ops
COPY tools ./tools
COPY tracing ./tracing
COPY tasks-examples ./tasks-examples
# Agents read the pages.
COPY docs ./docs
COPY --from=console /app/dist ./dist
ENTRYPOINT ["/usr/bin/tini", "--"]

# The server alone. It writes to /data only, so its root may be read-only.
FROM program AS server
ENV HOST=0.0.0.0 DATA_DIR=/data
RUN install --directory --mode=700 --owner=10001 --group=10001 /data
USER 10001:10001
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "ops/healthy.ts", "8787", "/healthz"]
CMD ["node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=4", "ops/run.js", "server/main"]

# The layers of the sandbox need bubblewrap.
FROM program AS sandboxed
RUN apt-get update && apt-get install --yes --no-install-recommends bubblewrap && rm -rf /var/lib/apt/lists/*

# A runner alone. It writes to /tmp only, from where a worker's program must be executable.
FROM sandboxed AS runner
# Without these layers it does not start, and says why. docs/sandbox.md tells what brings them in a container.
ENV RUNNER_HEALTH_PORT=8788 RUNNER_ISOLATION_REQUIRED=process,rlimits,no_new_privs,unprivileged,namespaces,network,filesystem
USER 10002:10002
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "ops/healthy.ts", "8788", "/readyz"]
CMD ["node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=1", "ops/run.js", "runner/main"]

# Server and runner in one container. It starts as root, which starts the server, the runner and the workers as three other users.
FROM sandboxed AS all-in-one
ENV HOST=0.0.0.0 DATA_DIR=/data START_USERS=10001,10002,10003 RUNNER_ISOLATION_REQUIRED=process,no_new_privs,unprivileged,filesystem
RUN install --directory --mode=700 --owner=10001 --group=10001 /data
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "ops/healthy.ts", "8787", "/healthz"]
CMD ["node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=1", "ops/run.js", "ops/start"]
