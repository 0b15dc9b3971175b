# Three images of one file. `docker build .` makes the last one, which runs all of it in one container; `--target server` and
# `--target runner` make those of one part each, for several machines (docs/scale.md). Each part of them has a user of its own.

FROM node:26-bookworm-slim AS package
WORKDIR /build
COPY package.json package-lock.json ./
# Workspaces with the TypeScript that the editor's worker is built from, and with what the documentation is built by.
COPY console/editor/package.json ./console/editor/
COPY site/package.json ./site/
RUN npm ci
COPY . .
# -m: in the package all files are of 1985, and a browser would take the start page of another version for the one that it has.
RUN npm pack && mkdir /package && tar -xzmf backroom-*.tgz -C /package --strip-components=1

FROM node:26-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev
# What only some shops use: models, S3, Stripe, EasyPost, traces. `--build-arg PACKAGES=` leaves it out: 30 MB less.
ARG PACKAGES="@anthropic-ai/sdk@1.14.0 @aws-sdk/client-s3@3.1169.0 @easypost/api@8.9.0 @opentelemetry/api@1.10.0 @opentelemetry/exporter-trace-otlp-http@0.301.0 @opentelemetry/resources@3.1.0 @opentelemetry/sdk-trace@3.1.0 @opentelemetry/semantic-conventions@1.45.0 openai@7.57.0 stripe@23.1.0"
RUN test -z "$PACKAGES" || npm install --omit=dev --save-prod --no-save --no-audit --no-fund $PACKAGES
COPY tools/image-prune.sh /
RUN sh /image-prune.sh node_modules

FROM node:26-bookworm-slim AS system
RUN apt-get update && apt-get install --yes --no-install-recommends binutils bubblewrap libatomic1 libcap-ng0 tini && \
    rm -rf /var/lib/apt/lists/* && \
    useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin backroom && \
    useradd --uid 10002 --no-create-home --shell /usr/sbin/nologin runner && \
    useradd --uid 10003 --no-create-home --shell /usr/sbin/nologin worker
COPY tools/image-root.sh /
RUN sh /image-root.sh /image

# What all images have, 250 MB at most (`npm run test:package` counts them). tini passes signals on, and ends what the sandbox leaves behind;
# as the first process, Node would do neither. bubblewrap makes the layers of the sandbox.
FROM scratch AS program
COPY --from=system /image /
COPY --from=system /usr/local/LICENSE /usr/share/doc/nodejs/copyright
WORKDIR /app
ENV PATH=/usr/local/bin:/usr/bin HOME=/tmp NODE_ENV=production MALLOC_ARENA_MAX=2
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=package /package ./
ENTRYPOINT ["/usr/bin/tini", "--"]

# The server alone. It writes to /data only, so its root may be read-only.
FROM program AS server
ENV HOST=0.0.0.0 DATA_DIR=/data
RUN ["node", "-e", "fs.mkdirSync('/data', { mode: 0o700 }); fs.chownSync('/data', 10001, 10001)"]
USER 10001:10001
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "ops/healthy.js", "8787", "/healthz"]
CMD ["node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=4", "ops/run.js", "server/main"]

# A runner alone. It writes to /tmp only, from where a worker's program must be executable.
FROM program AS runner
# Without these layers it does not start, and says why. docs/sandbox.md tells what brings them in a container.
ENV RUNNER_HEALTH_PORT=8788 RUNNER_ISOLATION_REQUIRED=process,rlimits,no_new_privs,unprivileged,namespaces,network,filesystem
USER 10002:10002
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "ops/healthy.js", "8788", "/readyz"]
CMD ["node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=1", "ops/run.js", "runner/main"]

# Server and runner in one container. It starts as root, which starts the server, the runner and the workers as three other users.
FROM program AS all-in-one
ENV HOST=0.0.0.0 DATA_DIR=/data START_USERS=10001,10002,10003 RUNNER_ISOLATION_REQUIRED=process,no_new_privs,unprivileged,filesystem
RUN ["node", "-e", "fs.mkdirSync('/data', { mode: 0o700 }); fs.chownSync('/data', 10001, 10001)"]
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "ops/healthy.js", "8787", "/healthz"]
CMD ["node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=1", "ops/run.js", "ops/start"]
