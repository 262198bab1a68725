import { script } from './script.ts'

/** Conversations about deliveries. See script.ts for the notation. */
export const deliveryScenarios = [
  script(
    'onde está o pedido',
    ['cliente', 'vip', 'lead'],
    11,
    `
c {oi}! O pedido {pedido} já saiu? | {oi}, tem previsão do meu pedido? Número {pedido}
  | {oi}, {op}! Minha entrega chega hoje? | {oi}! Alguma notícia do pedido {pedido}? Estou sem {prod} aqui
o {opoi} Vou consultar, um instante. | {opoi} Já vejo com a expedição.
  | {opoi} Saiu hoje cedo, está na rota de {bairro}. | {opoi} Já está no caminhão.
o O motorista é o {motorista}; a previsão é {logo}. | Está na nona parada; deve chegar {logo}.
  | Ele está a duas entregas de você. | Deve chegar {logo}.
c Ótimo, fico no aguardo | Perfeito, tem gente aqui até as 18h | Pode pedir para ele tocar o interfone 12?
  | Tomara que não atrase, preciso para hoje
o= Qualquer atraso eu aviso por aqui. | Anotado, passo para o motorista. | Recado passado!
  | Vou pedir para priorizar sua parada.
c? Chegou agora, tudo certo | Acabou de chegar 🙌 | @image Chegou! | @round
n Consultou o pedido {pedido}.`,
  ),
  script(
    'atraso',
    ['cliente', 'vip'],
    6,
    `
c {oi}, meu pedido era para ontem e não chegou | {oi}! Estou esperando o pedido {pedido} desde {ontem}
  | Gente, cadê minha entrega? Prometeram para {ontem} | {oi}. Pela terceira vez pergunto do pedido {pedido}
o {opoi} Desculpe o transtorno! Já estou vendo o que houve.
  | {opoi} Você tem razão, e peço desculpas. Um minuto que falo com a transportadora.
  | {opoi} Vou apurar agora com a expedição.
c Preciso de uma posição hoje | Estou com cliente parado por causa disso | Assim fica difícil, né
  | Tá bom, aguardo
o O caminhão quebrou na {rodovia}. A carga foi transferida e chega {dia} pela manhã.
  | A {transp} diz que tentou entregar e não havia ninguém no local. Reagendei para {dia}.
  | Ficou retida na filial da {transp}. Sai {dia} no primeiro horário, com o código {rastreio}.
c Aqui a loja fica aberta o dia todo | Ok, mas {dia} sem falta, por favor | Podiam ter avisado, né?
  | Entendo, mas me ajuda com isso
o= Vou cobrar a transportadora. O frete deste pedido vai ser estornado.
  | Sem falta. Eu mesm{op_o} acompanho e te escrevo quando sair. | Você está cert{cli}, devíamos ter avisado.
  | Claro. Registrei a reclamação junto à transportadora e te mando o retorno.
n Atraso no pedido {pedido}; frete estornado. | Reclamação aberta na {transp}, código {rastreio}.`,
    -0.7,
  ),
  script(
    'mudança de endereço',
    ['cliente', 'vip'],
    5,
    `
c {oi}! Dá para trocar o endereço da entrega do pedido {pedido}?
  | {oi}, mudamos de endereço. Ainda dá tempo de alterar? | {oi}! Preciso que entregue na outra loja, dá?
o {opoi} Dá sim, ainda não saiu. Me passa o novo endereço com CEP?
  | {opoi} Consigo mudar até as 17h de hoje. Qual é o endereço?
  | {opoi} Vejo já! Manda o endereço completo, por favor.
c @location {loja}; {rua} - {bairro}, {cidade} | {rua}, no {bairro}
  | É na {rua}. Referência: ao lado da farmácia
o Alterado no pedido {pedido}. Quem recebe lá? | Pronto. Tem restrição de horário ou de caminhão na rua?
  | Atualizado! O frete não muda, fica igual.
c= Pode procurar {outro} | Só não pode entre 12h e 14h | Que bom
c? @contact {outro}; {fone}; {loja}
o Perfeito, está anotado na etiqueta. | Combinado! Chega {dia}, {janela}.
n Endereço de entrega alterado: {rua}.`,
  ),
  script(
    'agendar entrega',
    ['cliente', 'vip'],
    5,
    `
c {oi}! Consegue agendar a entrega do {pedido} para {dia}?
  | {oi}, meu depósito só recebe com hora marcada. Dá para agendar?
  | {oi}, pode entregar depois das 14h? De manhã não tem quem receba
o {opoi} Consigo {dia}, {janela}. Serve? | {opoi} Temos vaga {dia} à tarde. Fechamos?
  | {opoi} Posso marcar. Precisa de ajudante para descarregar?
c= Serve sim | Fechado | Precisa, são dois andares de escada
o= Agendado para {dia}, {janela}. O motorista liga meia hora antes.
  | Ficou para {dia}, primeira entrega da tarde. | Marcado para {dia}! Deixei observação de ajudante.
n Entrega agendada: {dia}, {janela}.`,
  ),
  script(
    'faltou item',
    ['cliente', 'vip'],
    6,
    `
c {oi}! Chegou o pedido, mas faltaram {falta} {prods}
  | {oi}, recebi agora e veio faltando. Eram {qtd} {prods}, vieram {falta} a menos | @image Veio só isso
o {opoi} Puxa, vou conferir a separação. Tem o número do romaneio?
  | {opoi} Desculpe! Me manda uma foto da etiqueta do volume?
  | {opoi} Vou olhar a câmera da expedição e já te respondo.
c= Romaneio {nf} | @image A etiqueta é essa | Veja por favor, o volume 3 não veio
o Achamos: o volume 3 ficou na doca. Mando {dia} sem custo?
  | Confirmado, o erro foi nosso. Mando {dia}, na primeira rota?
  | Prefere receber {dia} ou crédito na próxima compra?
c= Pode mandar {dia} | {dia} está ótimo | Pode deixar como crédito
o= Feito! Complemento do pedido {pedido} lançado. | Combinado. E desculpe mais uma vez pelo trabalho.
  | Crédito lançado no seu cadastro.
n Faltaram {falta} {prods}; complemento enviado. | Erro de separação no pedido {pedido}.`,
    -0.2,
  ),
  script(
    'avaria',
    ['cliente', 'vip'],
    5,
    `
c {oi}, as caixas chegaram molhadas 😕 | {oi}! Metade d{os} {prods} veio amassada | @image Olha como chegou
  | @video Veja o estado
o {opoi} Nossa, que pena! Me manda foto do lote inteiro?
  | {opoi} Lamento muito. Você anotou a avaria no canhoto?
  | {opoi} Já abro a troca. Quantas peças foram afetadas?
c= @image | Anotei sim, o motorista viu | Umas {falta}, contei agora
o Vamos repor todas, sem custo, {dia}. As avariadas o motorista recolhe.
  | Troca aprovada. Saem {falta} peças {dia}. | O seguro da {transp} cobre. A reposição sai {dia}.
c Preciso antes, tenho encomenda para {dia} | Tudo certo então | Posso usar as que deram para salvar?
o= Consigo mandar um motoboy hoje com uma parte. | Obrigad{op_o} pela compreensão!
  | Pode usar, essas ficam por nossa conta.
n Avaria no pedido {pedido}, reposição {dia}.`,
    -0.2,
  ),
  script(
    'produto trocado',
    ['cliente', 'vip', 'lead'],
    4,
    `
c {oi}! Pedi {prods} e mandaram {prods2} | {oi}, veio o produto errado no {pedido}
  | @image Não foi isso que eu pedi 😅
o {opoi} Já confiro o pedido {pedido}. | {opoi} Trocaram mesmo, desculpe! Recolhemos e levamos o certo.
  | {opoi} Vi aqui: o código foi digitado errado.
c E quando trocam? | Consegue hoje ainda? | Eu até fico com esse, se tiver desconto
o= A troca vai {dia}. Não precisa embalar de volta. | Hoje a rota já fechou; {dia} às {hora} está aí.
  | Se quiser ficar, dou 20% nesse e mando o certo {dia}.
c= Pode ser | Combinado | Fico com os dois então
n Troca do pedido {pedido} agendada para {dia}.`,
  ),
  script(
    'rastreio',
    ['lead', 'cliente', 'geral'],
    4,
    `
c {oi}! Pode me passar o código de rastreio? | {oi}, foi pelos Correios? Qual o código?
  | {oi}, cadê o rastreamento do pedido {pedido}?
o {opoi} É o {rastreio}. Foi postado {ontem}. | {opoi} Aqui está: {rastreio}, pela {transp}.
  | {opoi} Saiu hoje pela {transp}; o código ativa em até 24 horas: {rastreio}
c? O site diz que ainda não consta | Aparece como "em trânsito" | Vi que já está em {cidade}
o= É normal no primeiro dia; amanhã já aparece. | Isso, deve chegar {dia}. | Então chega até {dia}.`,
  ),
  script(
    'retirada',
    ['cliente', 'geral', 'lead'],
    4,
    `
c {oi}! Até que horas posso retirar? | {oi}, posso mandar um motoboy retirar o {pedido}?
  | {oi}, estou a caminho. Tem vaga para estacionar?
o= {opoi} A expedição fica aberta até as 18h. | {opoi} Pode, é só ele informar o número {pedido}.
  | {opoi} Tem doca na lateral, pode encostar.
c= Então passo aí no fim da tarde | O nome dele é {motorista}, moto preta | Chego em 20 minutos
o= Fica separado na doca, com o Cláudio. | Avisei a portaria. | Já está separado, é só assinar.
c? Retirado! | Peguei, valeu | Carregado já 🚚 | @live
  | @location Estou aqui; Rua Voluntários da Pátria - Santana, São Paulo`,
  ),
] as const
