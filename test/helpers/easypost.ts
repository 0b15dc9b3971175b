import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Answers as EasyPost's documentation describes it (docs.easypost.com): a shipment is found by its id or `reference` and has one
 * label, errors have the form `{error: {code, message, errors}}`, and the key is the user name of Basic authentication.
 */

export const EASYPOST_KEY = 'EZTK-of-the-tests';

type Rate = { id: string; object: 'Rate'; carrier: string; service: string; rate: string; currency: string; delivery_days: number | null };
type Shipment = {
  id: string;
  object: 'Shipment';
  mode: 'test';
  reference: string | null;
  from_address: Record<string, unknown>;
  to_address: Record<string, unknown>;
  parcel: { weight: number };
  customs_info?: { customs_items: object[]; customs_signer: string };
  rates: Rate[];
  selected_rate: Rate | null;
  postage_label: { label_url: string; label_pdf_url: string | null } | null;
  tracking_code: string | null;
  tracker: { status: string; tracking_details: object[] } | null;
  refund_status: string | null;
};

/** The points of a request at which a test may decide. At `bought` and `refunded` it has taken effect and is not answered yet. */
export type Moment = 'rates' | 'retrieve' | 'buy' | 'bought' | 'refund' | 'refunded';
export type Fate = 'pass' | 'cut' | { status: number; code?: string; message?: string };

export type EasypostDouble = {
  /** The value for EASYPOST_API_BASE; known after `listen`. */
  readonly url: string;
  shipments: Map<string, Shipment>;
  /** All charges, in their order. */
  ledger: { shipment_id: string; reference: string | null; rate: string; service: string }[];
  refunds: string[];
  /** All requests, such as `POST /shipments/shp_1/buy`. */
  seen: string[];
  /** The `X-Request-Id` of each request. */
  requestIds: (string | string[] | undefined)[];
  /** Sets the function that decides what becomes of a request at each moment. It may wait, which holds the request. */
  decide(decide: (moment: Moment, shipment: Shipment | undefined) => Fate | Promise<Fate>): void;
  /** Sets the rates of the next shipments; without `rates`, the usual ones. */
  offer(rates?: readonly Omit<Rate, 'id' | 'object'>[]): void;
  listen(): Promise<void>;
  close(): Promise<void>;
};

export const passAll = (): Fate => 'pass';

const usual: readonly Omit<Rate, 'id' | 'object'>[] = [
  { carrier: 'USPS', service: 'Priority', rate: '7.58', currency: 'EUR', delivery_days: 2 },
  { carrier: 'USPS', service: 'GroundAdvantage', rate: '5.93', currency: 'EUR', delivery_days: null },
  { carrier: 'UPS', service: 'NextDayAir', rate: '30.1', currency: 'EUR', delivery_days: 1 },
];

export async function openEasypostDouble(): Promise<EasypostDouble> {
  const easypost = createEasypostDouble();
  await easypost.listen();
  return easypost;
}

/** Makes a double that does not listen yet, so that a test file can refer to it at once; call `listen` in `before`. */
export function createEasypostDouble(): EasypostDouble {
  const shipments = new Map<string, Shipment>();
  const ledger: EasypostDouble['ledger'] = [];
  const refunds: string[] = [];
  const seen: string[] = [];
  const requestIds: EasypostDouble['requestIds'] = [];
  let decide: Parameters<EasypostDouble['decide']>[0] = passAll;
  let offered = usual;
  let made = 0;

  const find = (name: string): Shipment | undefined =>
    shipments.get(name) ?? [...shipments.values()].find(({ reference }) => reference === name);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString() || '{}');
    const path = (request.url ?? '').replace(/^\/v2/, '').replace(/\?.*/, '');
    seen.push(`${request.method} ${path}`);
    requestIds.push(request.headers['x-request-id']);
    const send = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    const refuse = (status: number, code: string, message: string): void => send(status, { error: { code, message, errors: [] } });
    /** Whether the request continues; if not, it has been answered or its connection was cut. */
    const passes = async (moment: Moment, shipment: Shipment | undefined): Promise<boolean> => {
      const fate = await decide(moment, shipment);
      if (fate === 'cut') request.socket.destroy();
      else if (fate !== 'pass') refuse(fate.status, fate.code ?? 'ERROR', fate.message ?? 'It did not work.');
      return fate === 'pass';
    };

    const [user] = Buffer.from((request.headers.authorization ?? '').replace(/^Basic /, ''), 'base64')
      .toString()
      .split(':');
    if (user !== EASYPOST_KEY) return refuse(401, 'APIKEY.INACTIVE', 'This api key is no longer active.');
    const [, name = '', verb] = /^\/shipments(?:\/([^/]+)(?:\/(buy|refund))?)?$/.exec(path) ?? [];
    if (request.method === 'POST' && name === '') {
      if (!(await passes('rates', undefined))) return;
      made += 1;
      const shipment = newShipment(made, body.shipment, offered);
      shipments.set(shipment.id, shipment);
      return send(201, shipment);
    }
    const shipment = find(name);
    if (!shipment) return refuse(404, 'NOT_FOUND', 'The requested resource could not be found.');
    if (verb === undefined) return (await passes('retrieve', shipment)) ? send(200, shipment) : undefined;
    if (!(await passes(verb === 'buy' ? 'buy' : 'refund', shipment))) return;
    if (verb === 'refund') {
      if (!shipment.postage_label) return refuse(422, 'SHIPMENT.REFUND.UNAVAILABLE', 'Refund is not available for this shipment.');
      if (shipment.refund_status) return refuse(422, 'SHIPMENT.REFUND.UNAVAILABLE', 'Refund was already requested.');
      shipment.refund_status = 'submitted';
      refunds.push(shipment.id);
      return (await passes('refunded', shipment)) ? send(200, shipment) : undefined;
    }
    if (shipment.postage_label) return refuse(422, 'SHIPMENT.POSTAGE.EXISTS', 'Postage already exists for this shipment.');
    const rate = shipment.rates.find(({ id }) => id === body.rate?.id);
    if (!rate) return refuse(422, 'SHIPMENT.INVALID_PARAMS', 'Rate not found.');
    shipment.selected_rate = rate;
    shipment.tracking_code = `EZ${shipment.id.slice(4).toUpperCase()}`;
    shipment.postage_label = { label_url: `https://labels.example/${shipment.id}.png`, label_pdf_url: null };
    shipment.tracker = { status: 'unknown', tracking_details: [] };
    ledger.push({ shipment_id: shipment.id, reference: shipment.reference, rate: rate.rate, service: rate.service });
    if (await passes('bought', shipment)) send(200, shipment);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  });
  // Not five seconds: a busy client would send its next request over a connection that is just being closed.
  server.keepAliveTimeout = 60_000;
  return {
    get url() {
      const { port } = server.address() as AddressInfo;
      return `http://127.0.0.1:${port}/v2`;
    },
    shipments,
    ledger,
    refunds,
    seen,
    requestIds,
    decide(next) {
      decide = next;
    },
    offer(rates = usual) {
      offered = rates;
    },
    listen: () => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Wanted = Pick<Shipment, 'reference' | 'from_address' | 'to_address' | 'parcel' | 'customs_info'>;

function newShipment(n: number, wanted: Wanted, rates: readonly Omit<Rate, 'id' | 'object'>[]): Shipment {
  const id = `shp_${n.toString(16).padStart(32, '0')}`;
  return {
    ...wanted,
    id,
    object: 'Shipment',
    mode: 'test',
    reference: wanted.reference ?? null,
    rates: rates.map((rate, i) => ({ id: `rate_${n}_${i}`, object: 'Rate', ...rate })),
    selected_rate: null,
    postage_label: null,
    tracking_code: null,
    tracker: null,
    refund_status: null,
  };
}
