type Class<T> = abstract new (...args: never[]) => T;
type Context = object;
type Saved = { id: number | string };
type Entity = new () => object;
type Service<Input, Output> = Class<{ create(ctx: Context, input: Input): Promise<Output> }>;
export type App = { get<T>(type: Class<T>): T };

/** What is used of @vendure/core. */
export type Vendure = {
  bootstrap(config: object): Promise<App>;
  RequestContextService: Class<{ create(options: { apiType: 'admin' }): Promise<Context> }>;
  ChannelService: Class<{ getDefaultChannel(): Promise<Saved> }>;
  TaxCategoryService: Class<{ findAll(ctx: Context): Promise<{ items: Saved[] }> }>;
  ProductService: Service<object, Saved>;
  ProductVariantService: Service<object[], Saved[]>;
  TransactionalConnection: Class<{ getRepository(ctx: Context, entity: Entity): { save(rows: object[]): Promise<Saved[]> } }>;
  Customer: Entity;
  Order: Entity;
  OrderLine: Entity;
};

/** What is used of @vendure/core/cli. */
export type VendureCli = { populateInitialData(app: App, data: object): Promise<void> };
