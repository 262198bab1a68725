declare module 's3rver' {
  /** A server of S3 that keeps its objects in a folder. The key and the secret of whoever asks are both `S3RVER`. */
  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      silent: boolean
      directory: string
      configureBuckets: { name: string; configs: string[] }[]
    })
    run(): Promise<unknown>
    close(): Promise<void>
  }
}
