import type { DemoSectorName } from '#server/demo/sectors.ts'

// What the team notes in conversations. The slots are those of history/facts.ts.

/** For whoever takes a conversation that is passed on to their sector. */
export const movingNotes: Readonly<Record<DemoSectorName, readonly string[]>> = {
  Comercial: [
    'Quer preço de {qtd} {prods}. Ainda não falei em desconto.',
    'É orçamento, veio parar aqui. Compra {prods} todo mês.',
    'Já passei o catálogo; falta o preço de {qtd2} {prods2}.',
  ],
  Financeiro: [
    'A dúvida é do boleto da nota {nf}. O resto já resolvi.',
    'Pede documento com o CNPJ {cnpj}. Não mexi em nada.',
    'Pagamento: diz que já fez o Pix de {valor}. Conferir, por favor.',
  ],
  Suporte: [
    'É entrega do pedido {pedido}. Está com pressa, avisei que já respondem.',
    'Ligou duas vezes por causa do pedido {pedido}; ver com a {transp}.',
    'Não é venda, é problema com o que chegou. Nota {nf}.',
  ],
}

/** While a conversation goes on. */
export const teamNotes: readonly string[] = [
  'Combinei por telefone, fica para {dia}.',
  'Cuidado: o endereço do cadastro está velho. O certo é {rua}, {bairro}.',
  'Pedi à {transp} a posição do pedido {pedido}.',
  'Já reclamou disso em {passada}. Dar retorno hoje sem falta.',
  'Desconto de até {desc} liberado pela Marina.',
  'Quem decide a compra é outra pessoa; confirmar antes de faturar.',
  'Nota {nf} conferida, está certa.',
  'Prefere ligação depois das {hora}.',
]
